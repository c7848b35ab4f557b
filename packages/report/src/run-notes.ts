import { counted, type Summary, type Verdict } from '@agent-criteria/core/host';
import type { RunRecord } from '@agent-criteria/results';
import { safe } from './terminal.ts';

/**
 * Returns problems of the run as a whole, whatever its cases show, so that no report looks as if everything were fine.
 */
export function runProblems({ info, summary }: RunRecord): readonly string[] {
  return [
    ...(isFinished(info) ? [] : [`This run is not finished: ${unitsText(info)}.`]),
    ...(summary.total === 0 ? ['The run has no case: nothing was judged.'] : []),
  ];
}

/** Returns a note if only some cases of a run are reported, or `null` if all are reported. */
export function selectionNote({ info, summary: { verdicts, total } }: RunRecord): string | null {
  if (info.onlyFailed !== true) return null;
  const bad = total - verdicts.passed - verdicts.informational;
  if (bad === 0) return 'This report only has cases that did not pass, and there are none.';
  if (info.variants !== undefined) {
    return `Only cases that did not pass with every variant are in this report (${counted(bad, 'result')} that did not pass), and usage is only counted for them.`;
  }
  return `Only the ${counted(bad, 'case')} that did not pass ${bad === 1 ? 'is' : 'are'} in this report, and usage is only counted for ${bad === 1 ? 'it' : 'them'}.`;
}

/** Whether the run has ended with all units inferred and scored. */
export function isFinished({ endedAt, units }: RunRecord['info']): boolean {
  return endedAt !== null && units.finished >= units.total;
}

function unitsText({ units, auto }: RunRecord['info']): string {
  if (units.finished >= units.total) return 'it was stopped early';
  return `${units.finished} of ${auto ? 'up to ' : ''}${units.total} ${units.total === 1 ? 'unit is' : 'units are'} run and scored`;
}

export function summaryNotes({ nothingJudged }: Summary): readonly string[] {
  return nothingJudged ? ['Nothing was judged: every criterion of this config only measures.'] : [];
}

/** Applies a verdict's colour to a string. */
export type VerdictPaint = (verdict: Verdict, text: string) => string;

/** Formats the counts of verdicts, as in `2 passed, 1 failed of 3 cases`. */
export function countsText(
  summary: Pick<Summary, 'verdicts' | 'total'>,
  paint: VerdictPaint = (_, text) => text,
  noun = 'case',
): string {
  const verdicts = Object.entries(summary.verdicts) as [Verdict, number][];
  const parts = verdicts
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => paint(verdict, `${count} ${verdict}`));
  return `${parts.join(', ') || '0'} of ${counted(summary.total, noun)}`;
}

/** Returns the noun for a run's counts. With several agents, each case has one result per agent. */
export function countedAs({ info }: Pick<RunRecord, 'info'>): 'case' | 'result' {
  return info.variants === undefined ? 'case' : 'result';
}

/** Formats one line of counts per agent, as in `fast: 3 passed of 3 cases`. */
export function variantCounts({ info }: Pick<RunRecord, 'info'>, paint?: VerdictPaint): readonly string[] {
  const { variants = [] } = info;
  const room = Math.max(...variants.map(({ name }) => name.length));
  return variants.map(({ name, summary }) => `${`${safe(name)}:`.padEnd(room + 1)} ${countsText(summary, paint)}`);
}
