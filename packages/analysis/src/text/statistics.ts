import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { isUnknown } from '@agent-criteria/statistics';
import type { CriterionAnalysis, RunAnalysis } from '../analyse-run.ts';
import { type Estimate, NO_VALUE, RATE } from '../estimate.ts';
import type { JudgeStatus } from '../judge-status.ts';
import type { StoppedEarly } from '../stopped-early.ts';
import { isNew, judgeLines } from './judges.ts';
import { intervalText, isShare, percentText, plainText, valueText, writtenPercent } from './numbers.ts';
import { casesText, nameList } from './phrases.ts';
import { powerSentence, powerWords } from './power.ts';

/** The number of flaky cases that are named. */
const NAMED = 5;

/** Lines on the uncertainty of a run's numbers. Plain JSON. */
export interface StatisticsSection {
  /** Absent for the whole run. */
  readonly variant?: string | undefined;
  readonly lines: readonly string[];
}

/**
 * Describes the uncertainty of a run, or of each of its variants, followed by remarks on its judges. Empty if there is
 * nothing to report.
 *
 * @param name Escapes names of cases and criteria. Default: leaves them as they are.
 */
export function statisticsSections(
  analyses: readonly RunAnalysis[],
  name: (text: string) => string = (text) => text,
): readonly StatisticsSection[] {
  const own = analyses.flatMap((one) => {
    const lines = statisticsLines(one, name);
    return lines.length === 0 ? [] : [one.variant === undefined ? { lines } : { variant: one.variant, lines }];
  });
  const judges = judgeLines(judgesOf(analyses), name);
  return withJudges(own, judges, analyses.length === 1);
}

function judgesOf(analyses: readonly RunAnalysis[]): readonly (readonly JudgeStatus[])[] {
  return analyses.map((one) => one.judges ?? []);
}

/**
 * Adds remarks on judges to the section of a single run, or as a last section after those of variants. Adds nothing if
 * there are no sections.
 */
function withJudges(
  own: readonly StatisticsSection[],
  judges: readonly string[],
  isOne: boolean,
): readonly StatisticsSection[] {
  const [first] = own;
  if (first === undefined || judges.length === 0) return own;
  return isOne ? [{ ...first, lines: [...first.lines, ...judges] }] : [...own, { lines: judges }];
}

/**
 * Lists the pass rate and the means of deciding criteria with their intervals, the results of repeats, and the power of
 * a comparison. With fewer than two cases, only what stopping early saved. Empty for an unfinished run.
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
  // Scores are written like thresholds.
  const scale = isShare(range) ? { min: 0, max: null } : range;
  if (value === null) {
    const why = isUnknown(interval) && interval.unknown !== NO_VALUE ? name(interval.unknown) : 'nothing was scored';
    return `mean of ${name(one.name)} unknown: ${why}`;
  }
  const ends = intervalText(interval, scale);
  const shown = ends === null ? '' : ` (${ends})`;
  return `mean of ${name(one.name)} ${valueText(value, scale)}${shown}, ${casesText(one)}${boundsText(one, range)}`;
}

/** Formats the range that the number could have, depending on what could not be judged. */
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
  // With few cases no fall would be found, which only `power` and comparisons mention.
  return power === null || isUnknown(power) || powerWords(power) === null ? [] : [powerSentence(power)];
}

/** Describes the savings from stopping early, and how it biases the numbers. */
function stoppedEarlyLines({ casePassRate, cases, stopped, repeats, calls }: StoppedEarly): readonly string[] {
  const [ran, of] = [repeats.ran, repeats.of].map((number) => number.toLocaleString('en-US'));
  const early = `auto stopped ${stopped === 0 ? 'none' : stopped} of ${cases} ${cases === 1 ? 'case' : 'cases'} early: ${ran} of ${of} repeats ran`;
  if (stopped === 0) return [early];
  const some = `${calls.saved.toLocaleString('en-US')} ${calls.saved === 1 ? 'call' : 'calls'}`;
  return [
    calls.saved === 0 ? early : `${early}, which saved about ${some} to models and services`,
    `cases that stopped early tend to look further from ${writtenPercent(casePassRate)} than they are; to compare runs, use a fixed number of repeats`,
  ];
}

/**
 * With fewer cases, the interval of the pass rate can extend 17 points or more either way, so other lines add little.
 */
const FEW_CASES = 30;

/**
 * Describes a run that has just ended: with few cases, the pass rate and its interval; with more, everything in
 * `statisticsSections`. Judges without a measurement are counted, not named.
 *
 * @param name Escapes names of cases and criteria. Default: leaves them as they are.
 */
export function briefStatistics(
  analyses: readonly RunAnalysis[],
  name: (text: string) => string = (text) => text,
): readonly StatisticsSection[] {
  const unjudged = analyses.map(({ judges: _, ...one }): RunAnalysis => one);
  const own = statisticsSections(unjudged, name).map((section) => {
    const of = analyses.find(({ variant }) => variant === section.variant);
    return of !== undefined && isSmall(of) ? { ...section, lines: section.lines.slice(0, 1) } : section;
  });
  return withJudges(own, briefJudges(judgesOf(analyses), name), analyses.length === 1);
}

/** Whether a run has few cases and did not stop early, because lines about stopping early are always shown. */
function isSmall({ passRate, criteria, stoppedEarly }: RunAnalysis): boolean {
  const cases = Math.max(passRate?.cases ?? 0, ...criteria.map((one) => one.cases));
  return cases < FEW_CASES && !stoppedEarly;
}

function briefJudges(variants: readonly (readonly JudgeStatus[])[], name: (text: string) => string) {
  const never = new Set(variants.flatMap((all) => all.filter(isNew)).map(({ criterion }) => criterion));
  const others = judgeLines(
    variants.map((all) => all.filter((one) => !isNew(one))),
    name,
  );
  if (never.size === 0) return others;
  const judges = never.size === 1 ? 'the judge was' : `${never.size} judges were`;
  return [`${judges} never measured: see agent-criteria calibrate`, ...others];
}
