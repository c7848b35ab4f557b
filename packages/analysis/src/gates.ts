import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { betaMixtureSequence, isUnknown, passHatKMean } from '@agent-criteria/statistics';
import { MIN_EFFECT } from './analyse-run.ts';
import { passesOf, scoresOf } from './case-values.ts';
import { compareRuns } from './compare-runs.ts';
import type { CaseValues, Estimate } from './estimate.ts';
import { estimateOf, meanOf, RATE } from './estimate-of.ts';
import { unmeasuredText } from './judge-lines.ts';
import { judgeStandings } from './judge-standing.ts';
import type { MeasuredFile } from './measured.ts';
import { nameList } from './name-list.ts';
import { percentText, textBeside, writtenPercent, writtenText } from './number-words.ts';
import type { CaseOutcome, RepeatOutcome } from './outcome.ts';
import { PASS_RATE } from './pass-rate.ts';
import { quantileInterval } from './quantile-interval.ts';
import { repeatAnalysis } from './repeats.ts';
import type { RunOutcomes } from './run-outcomes.ts';

/** What a whole run has to show. Everything here is optional; what is not there asks nothing. Plain JSON. */
export interface Gates {
  /** The least pass rate, 0 to 1: the lower end of its interval must reach it. */
  readonly passRate?: number | undefined;
  /**
   * By criterion: the mean that the lower end of its interval must reach; of criteria of which less is better, the upper end
   * must not be above it.
   */
  readonly means?: Readonly<Record<string, number>> | undefined;
  /**
   * By criterion: the most (of criteria of which more is better: the least) that a quantile over cases may be, such as 95% of
   * latencies. The end of its interval must not be beyond it.
   */
  readonly quantiles?: Readonly<Record<string, { readonly q: number; readonly limit: number }>> | undefined;
  /** The least probability that all of `k` repeats of a case pass (pass^k): the lower end of its interval must reach it. */
  readonly passHatK?: { readonly k: number; readonly rate: number } | undefined;
  /** The largest share of cases that may be flaky: some repeats pass, others fail. */
  readonly flakyShare?: number | undefined;
  /** The pass rate that every case must have over its repeats: no case may be shown to lie below it. */
  readonly casePassRate?: number | undefined;
  /**
   * The most that a conversation may cost on average, in the currency of the prices: the upper end of its interval must not be above it. Only
   * the agent's own calls to models count.
   */
  readonly cost?: number | undefined;
  /** No regression against a baseline: the smallest change that counts, or `true` for the usual one. */
  readonly regression?: boolean | number | undefined;
}

/** What a gate came to. Plain JSON. */
export interface GateResult {
  /** As it is written in a config: `pass_rate`, `means.response_match_score`. */
  readonly name: string;
  /** `null`: one cannot tell. */
  readonly holds: boolean | null;
  /** A sentence without its full stop. */
  readonly text: string;
}

export interface GateOptions {
  /** Of intervals. Default 0.95. */
  readonly level?: number | undefined;
  /** What was measured of judges. Default: nothing. */
  readonly measured?: readonly MeasuredFile[] | undefined;
}

/** A run to hold against; `null`: there is none yet, so that no gate asks for one. */
export type Baseline = RunOutcomes | null;

/**
 * What each gate says of a run, in the order of `Gates`. A gate by an interval holds when the whole interval reaches it. It
 * does not hold when the number itself misses it, and otherwise one cannot tell: there are too few cases. What could not be
 * judged counts at its worst. A gate that rests on a judge that was never measured says so. Where cases stopped early, one cannot
 * tell what depends on how often they pass: a case stops when it looks clearly good or bad, and so looks better or worse than it is.
 */
export function gateResults(
  run: RunOutcomes,
  gates: Gates,
  baseline: Baseline,
  { level = 0.95, measured = [] }: GateOptions = {},
): readonly GateResult[] {
  const standings = judgeStandings(run, measured);
  return resultsOf(run, gates, baseline, level).map((result) => {
    if (isUndecided(run) && RESTS_ON_VERDICTS.has(result.name))
      return { ...result, holds: null, text: NOTHING_DECIDES };
    if (isMovedByStopping(run, result.name)) return { name: result.name, holds: null, text: stoppedText(run) };
    const note = unmeasuredText(standings.filter(({ criterion }) => restsOn(run, result.name, criterion)));
    return note === null ? result : { ...result, text: `${result.text}; ${note}` };
  });
}

const RESTS_ON_VERDICTS: ReadonlySet<string> = new Set(['pass_rate', 'pass_hat_k', 'flaky_share', 'case_pass_rate']);
const NOTHING_DECIDES = 'no criterion of this run decides, so no case passes or fails';

function isUndecided({ cases }: RunOutcomes): boolean {
  return cases.length > 0 && cases.every(({ verdict }) => verdict === 'informational');
}

/** The gates on numbers that are biased where cases stop because of what passed. The interval of `case_pass_rate` allows for that. */
export function gatesMovedByStopping(gates: Gates): readonly string[] {
  return gateNames(gates, null).filter((name) => MOVED_BY_STOPPING.test(name));
}

const MOVED_BY_STOPPING = /^(pass_rate|pass_hat_k|flaky_share|cost|(means|quantiles)\..*)$/s;

function isMovedByStopping({ stoppedEarly }: RunOutcomes, gate: string): boolean {
  return (stoppedEarly?.stopped ?? 0) > 0 && MOVED_BY_STOPPING.test(gate);
}

function stoppedText({ stoppedEarly }: RunOutcomes): string {
  const cases = counted(stoppedEarly?.stopped ?? 0, 'case');
  return `${cases} stopped early (--num_runs auto), which makes cases look better or worse than they are; use a fixed number of repeats`;
}

/** Whether a gate would come out otherwise with other scores of a criterion. */
function restsOn({ criteria }: RunOutcomes, gate: string, criterion: string): boolean {
  if (/^(means|quantiles)\./.test(gate)) return gate.slice(gate.indexOf('.') + 1) === criterion;
  return gate !== 'cost' && criteria.some(({ name, decides }) => name === criterion && decides);
}

/** The names of the gates that `gateResults` gives results of, in their order. */
export function gateNames(gates: Gates, baseline: Baseline): readonly string[] {
  const { passRate, means = {}, quantiles = {}, passHatK, flakyShare, casePassRate, cost, regression } = gates;
  return [
    ...(passRate === undefined ? [] : ['pass_rate']),
    ...Object.keys(means).map((name) => `means.${name}`),
    ...Object.keys(quantiles).map((name) => `quantiles.${name}`),
    ...(passHatK === undefined ? [] : ['pass_hat_k']),
    ...(flakyShare === undefined ? [] : ['flaky_share']),
    ...(casePassRate === undefined ? [] : ['case_pass_rate']),
    ...(cost === undefined ? [] : ['cost']),
    ...(regression === undefined || regression === false || baseline === null ? [] : ['regression']),
  ];
}

function resultsOf(run: RunOutcomes, gates: Gates, baseline: Baseline, level: number): readonly GateResult[] {
  const { passRate, means = {}, quantiles = {}, passHatK, flakyShare, casePassRate, cost, regression } = gates;
  return [
    ...(passRate === undefined ? [] : [passRateGate(run, passRate, level)]),
    ...Object.entries(means).map(([name, least]) => meanGate(run, name, least, level)),
    ...Object.entries(quantiles).map(([name, asked]) => quantileGate(run, name, asked, level)),
    ...(passHatK === undefined ? [] : [passHatKGate(run, passHatK, level)]),
    ...(flakyShare === undefined ? [] : [flakyGate(run, flakyShare, level)]),
    ...(casePassRate === undefined ? [] : [casePassRateGate(run, casePassRate)]),
    ...(cost === undefined ? [] : [costGate(run, cost, level)]),
    ...(regression === undefined || regression === false || baseline === null
      ? []
      : [regressionGate(run, baseline, regression === true ? MIN_EFFECT : regression, level)]),
  ];
}

function passRateGate(run: RunOutcomes, least: number, level: number): GateResult {
  const values = run.cases.map(passesOf).filter((one) => one !== null);
  return byInterval('pass_rate', 'the pass rate', values, least, RATE, level);
}

function meanGate(run: RunOutcomes, criterion: string, limit: number, level: number): GateResult {
  const name = `means.${criterion}`;
  const found = run.criteria.find((one) => one.name === criterion);
  if (found === undefined) return { name, holds: null, text: `no criterion of this run is called ${criterion}` };
  const values = run.cases.map((one) => scoresOf(one, criterion, found.range)).filter((one) => one !== null);
  return byInterval(name, `the mean of ${criterion}`, values, limit, found.range, level);
}

/** By the end of the interval that is worse. */
function byInterval(
  name: string,
  what: string,
  cases: readonly CaseValues[],
  limit: number,
  range: Range,
  level: number,
): GateResult {
  const open = cases.filter((one) => one.open !== null);
  if (open.some((one) => one.open?.worst === null)) {
    return { name, holds: null, text: `${what} is unknown: ${counted(open.length, 'case')} could not be judged` };
  }
  const shown = estimateOf(cases, range, level);
  const found =
    open.length === 0
      ? shown
      : estimateOf(
          cases.map((one) => atWorst(one, range)),
          range,
          level,
        );
  const { value, interval } = found;
  if (value === null) return { name, holds: null, text: `${what} is unknown: nothing was judged` };
  const higher = range.better === 'higher';
  const reaches = (number: number) => (higher ? number >= limit - 1e-12 : number <= limit + 1e-12);
  const scale = range;
  const asked = `the gate ${higher ? 'requires at least' : 'allows at most'} ${writtenText(limit, scale)}`;
  const counting = `${counted(found.cases, 'case')}${open.length === 0 ? '' : `, ${open.length} of which could not be judged and count at ${open.length === 1 ? 'its' : 'their'} worst`}`;
  const repeated = name === 'pass_rate' && cases.some(({ values }) => values.length > 1) ? 'the repeats of ' : '';
  const said = `${what} is ${textBeside(limit, value, scale)} over ${repeated}${counting}`;
  if (!reaches(value)) return { name, holds: false, text: `${said}; ${asked}` };
  if (isUnknown(interval))
    return {
      name,
      holds: null,
      text: `${said}, but its confidence interval is unknown: ${interval.unknown}; ${asked}`,
    };
  const end = higher ? interval.low : interval.high;
  const certain = endText(higher ? 'lower' : 'upper', textBeside(limit, end, scale), level);
  if (reaches(end)) return { name, holds: true, text: `${said}, and ${certain}; ${asked}` };
  return { name, holds: null, text: `${said}, but ${certain}: too few cases to tell; ${asked}` };
}

function endText(side: 'lower' | 'upper', value: string, level: number): string {
  return `the ${side} end of its ${Math.round(level * 100)}% confidence interval is ${value}`;
}

/** What could not be judged, as if it had come out at its worst: repeats as repeats, so that it weighs as if it had failed. */
function atWorst({ group, values, open }: CaseValues, { min, max, better }: Range): CaseValues {
  if (open === null) return { group, values, open };
  const worst = better === 'higher' ? min : max;
  if (open.missing === 0 || worst === null) return { group, values: [open.worst as number], open: null };
  return { group, values: [...values, ...Array<number>(open.missing).fill(worst)], open: null };
}

function quantileGate(
  run: RunOutcomes,
  criterion: string,
  { q, limit }: NonNullable<Gates['quantiles']>[string],
  level: number,
): GateResult {
  const name = `quantiles.${criterion}`;
  const range = run.criteria.find((one) => one.name === criterion)?.range;
  if (range === undefined) return { name, holds: null, text: `no criterion of this run is called ${criterion}` };
  const cases = run.cases.map((one) => scoresOf(one, criterion, range)).filter((one) => one !== null);
  const open = cases.filter((one) => one.open !== null).length;
  if (open > 0) return { name, holds: null, text: `${criterion} is unknown for ${counted(open, 'case')}` };
  const found = quantileInterval(
    cases.map(({ values }) => meanOf(values)),
    q,
    level,
  );
  const lower = range.better === 'lower';
  const asked = `the gate ${lower ? 'allows at most' : 'requires at least'} ${writtenText(limit, range)}`;
  if (isUnknown(found))
    return {
      name,
      holds: null,
      text: `the ${percentText(q)} quantile of ${criterion} is unknown: ${found.unknown}; ${asked}`,
    };
  const said = `the ${percentText(q)} quantile of ${criterion} is ${textBeside(limit, found.value, range)}`;
  const reaches = (value: number) => (lower ? value <= limit + 1e-12 : value >= limit - 1e-12);
  if (!reaches(found.value)) return { name, holds: false, text: `${said}; ${asked}` };
  const end = lower ? found.high : found.low;
  const certain = endText(lower ? 'upper' : 'lower', textBeside(limit, end, range), level);
  if (reaches(end)) return { name, holds: true, text: `${said}, and ${certain}; ${asked}` };
  return { name, holds: null, text: `${said}, but ${certain}: too few cases to tell; ${asked}` };
}

function passHatKGate(run: RunOutcomes, { k, rate }: NonNullable<Gates['passHatK']>, level: number): GateResult {
  const name = 'pass_hat_k';
  const ran = run.cases.filter(({ repeats }) => repeats.length > 0);
  const asked = `the gate requires at least ${writtenPercent(rate)}`;
  const short = ran.filter(({ repeats }) => repeats.length < k).length;
  if (short > 0) {
    const which = short === ran.length ? 'no case' : 'not every case';
    return { name, holds: null, text: `pass^${k} is unknown: ${which} ran ${k} times; use --num_runs ${k}` };
  }
  const counts = ran.map(({ repeats }) => ({
    n: repeats.length,
    // What could not be judged counts as failed.
    c: repeats.filter(({ passed }) => passed === true).length,
  }));
  const found = passHatKMean(counts, k, level);
  if (isUnknown(found)) return { name, holds: null, text: `pass^${k} is unknown: ${found.unknown}` };
  const said = `all ${k} repeats pass in ${textBeside(rate, found.mean, RATE)} of cases`;
  if (found.mean < rate - 1e-12) return { name, holds: false, text: `${said}; ${asked}` };
  const low = Math.max(0, found.low);
  // Without spread, nothing says how far other cases may lie.
  if (found.se > 0 && low >= rate - 1e-12)
    return { name, holds: true, text: `${said}, and ${endText('lower', percentText(low), level)}; ${asked}` };
  const all = run.cases.map((one) => everyRepeatPassed(one));
  const exact: Estimate = estimateOf(
    all.map((pass) => ({ group: null, values: [pass ? 1 : 0], open: null })),
    RATE,
    level,
  );
  if (found.se === 0 && !isUnknown(exact.interval) && exact.interval.low >= rate) {
    return {
      name,
      holds: true,
      text: `${said}, and ${endText('lower', percentText(exact.interval.low), level)}; ${asked}`,
    };
  }
  return { name, holds: null, text: `${said}: too few cases to tell; ${asked}` };
}

function everyRepeatPassed({ repeats }: CaseOutcome): boolean {
  return repeats.every(({ passed }) => passed === true);
}

function flakyGate(run: RunOutcomes, most: number, level: number): GateResult {
  const name = 'flaky_share';
  const repeats = repeatAnalysis(run.cases, level);
  if (repeats === null || repeats.repeatedCases === 0) {
    return {
      name,
      holds: null,
      text: 'no case ran more than once, so flaky cases cannot be seen; use --num_runs 3',
    };
  }
  const share = repeats.flaky.length / repeats.repeatedCases;
  const said = `${repeats.flaky.length} of ${counted(repeats.repeatedCases, 'case')} ${repeats.flaky.length === 1 ? 'is' : 'are'} flaky`;
  const asked = `the gate allows at most ${writtenPercent(most)}`;
  if (share > most + 1e-12) return { name, holds: false, text: `${said}; ${asked}` };
  const open = run.cases.filter(({ repeats: own }) => couldBeFlaky(own)).length;
  const atMost = (repeats.flaky.length + open) / Math.max(1, run.cases.length);
  if (atMost > most + 1e-12) {
    return { name, holds: null, text: `${said}, and ${counted(open, 'case')} could not be judged in full; ${asked}` };
  }
  return { name, holds: true, text: `${said}; ${asked}` };
}

/** Whether nothing is known that keeps it from being flaky: a repeat could not be judged, or there is only one. */
function couldBeFlaky(repeats: CaseOutcome['repeats']): boolean {
  const seen = new Set(repeats.map(({ passed }) => passed));
  return !(seen.has(true) && seen.has(false)) && (repeats.length < 2 || seen.has(null));
}

function casePassRateGate(run: RunOutcomes, least: number): GateResult {
  const name = 'case_pass_rate';
  const below: CaseOutcome[] = [];
  const open: CaseOutcome[] = [];
  for (const one of run.cases) {
    const standing = standingOf(one, least);
    if (standing === 'below') below.push(one);
    if (standing === 'undecided') open.push(one);
  }
  const asked = `the gate requires at least ${writtenPercent(least)} in every case`;
  const names = (cases: readonly CaseOutcome[]) => nameList(cases, 5, ({ caseId }) => caseId);
  if (run.cases.length === 0) return { name, holds: null, text: 'there are no cases' };
  const most = run.stoppedEarly?.most;
  // Judged by other criteria, a case may have stopped too early to be clear now.
  const ranAll = open.every(({ repeats }) => repeats.length === most);
  const few = most === undefined || !ranAll ? 'too few repeats' : `${counted(most, 'repeat')} are too few`;
  const untold =
    open.length === 0
      ? []
      : [`${few} to tell for ${open.length} of ${counted(run.cases.length, 'case')} (${names(open)})`];
  if (below.length > 0) {
    const rarely = `${below.length} of ${counted(run.cases.length, 'case')} ${below.length === 1 ? 'passes' : 'pass'} too rarely (${names(below)})`;
    return { name, holds: false, text: [rarely, ...untold, asked].join('; ') };
  }
  if (open.length > 0) return { name, holds: null, text: [...untold, asked].join('; ') };
  return { name, holds: true, text: `every case passes often enough; ${asked}` };
}

/**
 * On which side of a rate a case lies after its repeats so far, by the confidence sequence of `betaMixtureSequence` at 5%, which may be
 * looked at after each. A repeat that could not be judged counts as failed against the rate and as passed for it.
 */
export function standingOf(
  { repeats }: { readonly repeats: readonly Pick<RepeatOutcome, 'passed'>[] },
  rate: number,
): 'above' | 'below' | 'undecided' {
  const n = repeats.length;
  if (n === 0) return 'undecided';
  const passed = repeats.filter((one) => one.passed === true).length;
  const open = repeats.filter((one) => one.passed === null).length;
  if (betaMixtureSequence({ k: passed, n }).low >= rate) return 'above';
  return betaMixtureSequence({ k: passed + open, n }).high < rate ? 'below' : 'undecided';
}

/** The scale of costs. */
const COST = { min: 0, max: null, better: 'lower' } as const satisfies Range;

function costGate(run: RunOutcomes, most: number, level: number): GateResult {
  const name = 'cost';
  const unknown: string[] = [];
  const cases = run.cases.map(({ group, repeats }): CaseValues => {
    const costs = repeats.map(({ cost }) => cost ?? { unknown: 'there are no prices' });
    unknown.push(...costs.flatMap((cost) => (isUnknown(cost) ? [cost.unknown] : [])));
    if (repeats.length === 0) unknown.push('the agent did not run');
    return { group, values: costs.filter((cost) => typeof cost === 'number'), open: null };
  });
  const [why] = unknown;
  if (why !== undefined) {
    const conversations = counted(unknown.length, 'conversation');
    return { name, holds: null, text: `the cost of ${conversations} is unknown: ${why}` };
  }
  return byInterval(name, 'the mean cost of a conversation', cases, most, COST, level);
}

function regressionGate(run: RunOutcomes, baseline: RunOutcomes, minEffect: number, level: number): GateResult {
  const { outcome, statement, notCompared } = compareRuns(baseline, run, { level, minEffect });
  const why = outcome === 'nothing-compared' ? notCompared.find(({ name }) => name === PASS_RATE)?.why : undefined;
  const sentence = statement.replace(/\.$/, '').replace(/^[TN](?=he |othing )/, (first) => first.toLowerCase());
  const said = `${sentence}${why === undefined ? '' : ` (${PASS_RATE}: ${why})`}`;
  const holds =
    outcome === 'regression' ? false : outcome === 'cannot-tell' || outcome === 'nothing-compared' ? null : true;
  return { name: 'regression', holds, text: holds ? `no regression was found; ${said}` : said };
}
