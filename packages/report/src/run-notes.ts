import { counted, type Summary, type Verdict } from '@agent-criteria/core/host';
import type { RunRecord } from '@agent-criteria/results';

/** What is wrong with a run as a whole, whatever its cases say: no report of it may look as if all was well. */
export function runProblems({ info, summary }: RunRecord): readonly string[] {
  return [
    ...(isFinished(info) ? [] : [`This run is not finished: ${unitsText(info)}.`]),
    ...(summary.total === 0 ? ['The run has no case: nothing was judged.'] : []),
  ];
}

/** What has to be said where only some cases of a run are reported; `null`: all are. */
export function selectionNote({ info, summary: { verdicts, total } }: RunRecord): string | null {
  if (info.onlyFailed !== true) return null;
  const bad = total - verdicts.passed - verdicts.informational;
  if (bad === 0) return 'Only cases that did not pass were asked for, and there is none.';
  return `Only the ${counted(bad, 'case')} that did not pass ${bad === 1 ? 'is' : 'are'} in this report, and what calls took is counted for ${bad === 1 ? 'it' : 'them'} alone.`;
}

/** Whether the run has come to its end with every unit inferred and scored. */
export function isFinished({ endedAt, units }: RunRecord['info']): boolean {
  return endedAt !== null && units.finished >= units.total;
}

function unitsText({ units }: RunRecord['info']): string {
  if (units.finished >= units.total) return 'it was stopped early';
  return `${units.finished} of ${units.total} ${units.total === 1 ? 'unit is' : 'units are'} run and scored`;
}

/** What has to be said of a summary besides its counts. */
export function summaryNotes({ nothingJudged }: Summary): readonly string[] {
  return nothingJudged ? ['Nothing was judged: every criterion of this config only measures.'] : [];
}

/** How many of each verdict: `2 passed, 1 failed of 3 cases`. */
export function countsText(summary: Summary, paint: (verdict: Verdict, text: string) => string = (_, text) => text) {
  const verdicts = Object.entries(summary.verdicts) as [Verdict, number][];
  const parts = verdicts
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => paint(verdict, `${count} ${verdict}`));
  return `${parts.join(', ') || '0'} of ${counted(summary.total, 'case')}`;
}
