import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import type { CriterionAnalysis, RunAnalysis } from './analyse-run.ts';
import { casesText } from './cases-text.ts';
import type { Estimate } from './estimate.ts';
import { NO_VALUE, RATE } from './estimate-of.ts';
import { judgeLines } from './judge-lines.ts';
import { nameList } from './name-list.ts';
import { intervalText, isShare, percentText, plainText, valueText } from './number-words.ts';
import { powerSentence, powerWords } from './power/power-words.ts';
import { stoppedEarlyLines } from './stopped-early.ts';

/** Of flaky cases, so many are named. */
const NAMED = 5;

/** How certain the numbers of a run are, in words, a line each. Plain JSON. */
export interface StatisticsSection {
  /** Absent of the run as a whole. */
  readonly variant?: string | undefined;
  readonly lines: readonly string[];
}

/**
 * The lines of a run, or of each of its variants, with what has to be known of its judges at the end, once. Empty where nothing can
 * be said.
 *
 * @param name How names of cases and criteria are written. Default: as they are.
 */
export function statisticsSections(
  analyses: readonly RunAnalysis[],
  name: (text: string) => string = (text) => text,
): readonly StatisticsSection[] {
  const own = analyses.flatMap((one) => {
    const lines = statisticsLines(one, name);
    return lines.length === 0 ? [] : [one.variant === undefined ? { lines } : { variant: one.variant, lines }];
  });
  const judges = judgeLines(
    analyses.map((one) => one.judges ?? []),
    name,
  );
  const [first] = own;
  if (first === undefined || judges.length === 0) return own;
  return analyses.length === 1 ? [{ ...first, lines: [...first.lines, ...judges] }] : [...own, { lines: judges }];
}

/**
 * What a run says beside its counts, and how certain that is, a line each: the pass rate and the means of deciding criteria with
 * their intervals, what repeats show, and what another run of these cases would show. With fewer than two cases, of which nothing
 * can be said, only what was saved by stopping early; empty for a run that is not finished.
 */
function statisticsLines(analysis: RunAnalysis, name: (text: string) => string): readonly string[] {
  const { passRate, criteria, level, finished, stoppedEarly } = analysis;
  if (!finished) return [];
  const saved = stoppedEarly ? stoppedEarlyLines(stoppedEarly) : [];
  const deciding = criteria.filter(({ decides }) => decides);
  if (Math.max(passRate?.cases ?? 0, ...deciding.map(({ cases }) => cases)) < 2) return saved;
  return [
    ...saved,
    ...(passRate === null ? [] : [rateLine(passRate, level, analysis.repeats?.repeats ?? 1)]),
    ...deciding.map((one) => meanLine(one, name)),
    ...repeatLines(analysis, name),
    ...groupLine(analysis, name),
    ...powerLine(analysis),
  ];
}

function rateLine(rate: Estimate, level: number, repeats: number): string {
  const { value, cases } = rate;
  if (value === null) return `pass rate unknown: ${counted(rate.unjudged, 'case')} could not be judged`;
  const interval = intervalText(rate.interval, RATE);
  const shown = interval === null ? '' : ` (${Math.round(level * 100)}% confidence interval ${interval})`;
  const each = rate.values < cases * repeats ? `${plainText(rate.values)} repeats in total` : `${repeats} repeats each`;
  const times = repeats > 1 ? `, ${each}` : '';
  return `${repeats > 1 ? 'pass rate over repeats' : 'pass rate'} ${percentText(value)}${shown}, ${casesText(rate)}${times}${boundsText(rate, RATE)}`;
}

function meanLine(one: CriterionAnalysis, name: (text: string) => string): string {
  const { value, interval, range } = one;
  // Scores are shown as thresholds are written.
  const scale = isShare(range) ? { min: 0, max: null } : range;
  if (value === null) {
    const why = isUnknown(interval) && interval.unknown !== NO_VALUE ? name(interval.unknown) : 'nothing was scored';
    return `mean of ${name(one.name)} unknown: ${why}`;
  }
  const ends = intervalText(interval, scale);
  const shown = ends === null ? '' : ` (${ends})`;
  return `mean of ${name(one.name)} ${valueText(value, scale)}${shown}, ${casesText(one)}${boundsText(one, range)}`;
}

/** What the number would be with what could not be judged. */
function boundsText({ bounds, unjudged }: Estimate, range: Range): string {
  if (bounds === null) return '';
  const scale = range === RATE ? RATE : { min: 0, max: null };
  const end = (value: number | null) => (value === null ? 'without limit' : valueText(value, scale));
  const [low, high] = range.better === 'higher' ? [bounds.worst, bounds.best] : [bounds.best, bounds.worst];
  return `; between ${end(low)} and ${end(high)}, depending on ${counted(unjudged, 'case')} that could not be judged`;
}

function repeatLines({ repeats, level }: RunAnalysis, name: (text: string) => string): readonly string[] {
  if (repeats === null) return [];
  const { flaky, repeatedCases, passes } = repeats;
  const named = nameList(flaky, NAMED, ({ caseId, passed, of }) => `${name(caseId)} ${passed}/${of}`);
  const list = flaky.length === 0 ? '' : ` (some of ${repeats.repeats} repeats pass, others fail): ${named}`;
  const last = passes.at(-1);
  return [
    ...(repeatedCases === 0
      ? []
      : [`${flaky.length} of ${counted(repeatedCases, 'case')} ${flaky.length === 1 ? 'is' : 'are'} flaky${list}`]),
    ...(last === undefined || isUnknown(last.all) || isUnknown(last.atLeastOne)
      ? []
      : [
          `all ${last.k} repeats pass in ${percentText(last.all.mean)} of cases (pass^${last.k}, ${Math.round(level * 100)}% confidence interval ${intervalText(last.all, RATE)}), at least one in ${percentText(last.atLeastOne.mean)} (pass@${last.k}, ${intervalText(last.atLeastOne, RATE)})`,
        ]),
  ];
}

function groupLine({ undeclaredGroups: found }: RunAnalysis, name: (text: string) => string): readonly string[] {
  if (found === undefined) return [];
  return [
    `cases whose ids begin alike (such as ${name(found.example)}) pass or fail together: if they are about one thing, give them one agent_criteria.group, or these intervals are too narrow`,
  ];
}

function powerLine({ power }: RunAnalysis): readonly string[] {
  // A few cases find nothing: only the command "power" and comparisons say so.
  return power === null || isUnknown(power) || powerWords(power) === null ? [] : [powerSentence(power)];
}
