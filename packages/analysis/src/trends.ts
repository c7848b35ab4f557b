import type { Range } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { analyseRun, type CriterionAnalysis } from './analyse-run.ts';
import { caseKey } from './case-key.ts';
import { PASS_RATE } from './change.ts';
import { type Estimate, RATE } from './estimate.ts';
import type { CriterionFacts } from './instrument.ts';
import { OTHER_RULE, passingRule, whyNotCompared } from './run-differences.ts';
import type { RunOutcomes } from './run-outcomes.ts';
import { STOP_OTHERWISE, stopAlike } from './stopped-early.ts';

/** A summary of a run for a chart. Plain JSON except for its map. */
export interface TrendRun
  extends Pick<RunOutcomes, 'id' | 'variant' | 'agent' | 'startedAt' | 'compat' | 'stoppedEarly'> {
  readonly passRate: Estimate | null;
  readonly criteria: readonly (CriterionAnalysis & CriterionFacts)[];
  readonly rule: string;
  /** The input and the version of each case. */
  readonly cases: ReadonlyMap<string, readonly [asked: string, version: string]>;
}

/** One number over the runs of a set, in chronological order. Plain JSON. */
export interface Trend {
  readonly name: string;
  readonly variant?: string | undefined;
  readonly range: Range;
  readonly decides: boolean;
  readonly points: readonly TrendPoint[];
}

export interface TrendPoint
  extends Pick<Estimate, 'value' | 'interval' | 'cases' | 'unjudged'>,
    Pick<RunOutcomes, 'agent' | 'startedAt'> {
  readonly run: string;
  /** Why the point cannot be compared with the previous one: sentences without the final full stop. Empty if it can. */
  readonly breaks: readonly string[];
  /** Other differences from the previous point. */
  readonly notes: readonly string[];
}

/** Summarises a run, or one of its variants, for `trendsOf`. */
export function trendRun(run: RunOutcomes, options: { readonly level?: number | undefined } = {}): TrendRun {
  const { id, variant, agent, startedAt, compat, stoppedEarly } = run;
  const { passRate, criteria } = analyseRun(run, options);
  return {
    id,
    ...(variant === undefined ? {} : { variant }),
    agent,
    startedAt,
    compat,
    ...(stoppedEarly === undefined ? {} : { stoppedEarly }),
    passRate,
    criteria: criteria.flatMap((one) => {
      const facts = run.criteria.find(({ name }) => name === one.name);
      return facts === undefined ? [] : [{ ...facts, ...one }];
    }),
    rule: passingRule(run),
    cases: new Map(run.cases.map((one) => [caseKey(one), [one.asked, one.version]])),
  };
}

/**
 * Builds a trend for each number in several runs of one set: first the pass rate, then deciding criteria, then the
 * others. If two successive runs cannot be compared, the later point has the reasons.
 */
export function trendsOf(runs: readonly TrendRun[]): readonly Trend[] {
  const inTime = runs.toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  const variants = [...new Set(inTime.map(({ variant }) => variant))];
  const trends = variants.flatMap((variant) => {
    const own = inTime.filter((run) => run.variant === variant);
    const names = [...new Set(own.toReversed().flatMap(({ criteria }) => criteria.map(({ name }) => name)))];
    return [rateTrend(own, variant), ...names.map((name) => criterionTrend(own, name, variant))];
  });
  const rank = ({ name, decides }: Trend) => (name === PASS_RATE ? 0 : decides ? 1 : 2);
  return trends.filter(({ points }) => points.length > 0).sort((a, b) => rank(a) - rank(b));
}

function rateTrend(runs: readonly TrendRun[], variant: string | undefined): Trend {
  const own = runs.flatMap((run) => (run.passRate === null ? [] : [{ run, estimate: run.passRate }]));
  const why = (before: TrendRun, after: TrendRun) =>
    before.rule !== after.rule || before.compat !== after.compat
      ? [OTHER_RULE]
      : stopAlike(before, after)
        ? []
        : [STOP_OTHERWISE];
  return { name: PASS_RATE, ...named(variant), range: RATE, decides: true, points: pointsOf(own, why) };
}

function criterionTrend(runs: readonly TrendRun[], name: string, variant: string | undefined): Trend {
  const find = (run: TrendRun) => run.criteria.find((criterion) => criterion.name === name);
  const own = runs.flatMap((run) => {
    const estimate = find(run);
    return estimate === undefined ? [] : [{ run, estimate }];
  });
  const last = own.at(-1)?.estimate;
  const why = (before: TrendRun, after: TrendRun): readonly string[] => {
    const [a, b] = [find(before), find(after)];
    if (a === undefined || b === undefined) return [];
    const reason = whyNotCompared(a, b, before, after);
    const other = a.threshold !== b.threshold;
    return [
      ...(reason === null ? [] : [reason]),
      ...(other ? [`its threshold was ${a.threshold ?? 'none'} and is ${b.threshold ?? 'none'}`] : []),
    ];
  };
  return {
    name,
    ...named(variant),
    range: last?.range ?? RATE,
    decides: last?.decides ?? false,
    points: pointsOf(own, why),
  };
}

function named(variant: string | undefined): { readonly variant?: string } {
  return variant === undefined ? {} : { variant };
}

interface Estimated {
  readonly run: TrendRun;
  readonly estimate: Estimate;
}

function pointsOf(
  all: readonly Estimated[],
  why: (before: TrendRun, after: TrendRun) => readonly string[],
): readonly TrendPoint[] {
  return all.map(({ run, estimate: { value, interval, cases, unjudged } }, place) => {
    const before = all[place - 1]?.run;
    return {
      run: run.id,
      agent: run.agent,
      startedAt: run.startedAt,
      value,
      interval,
      cases,
      unjudged,
      breaks: before === undefined ? [] : why(before, run),
      notes: before === undefined ? [] : notesOf(before, run),
    };
  });
}

/** Lists other changes: the agent's name, and the cases. */
function notesOf(before: TrendRun, after: TrendRun): readonly string[] {
  let [added, otherwise, changed] = [0, 0, 0];
  for (const [key, [asked, version]] of after.cases) {
    const own = before.cases.get(key);
    if (own === undefined) added += 1;
    else if (own[0] !== asked) otherwise += 1;
    else if (own[1] !== version) changed += 1;
  }
  const gone = [...before.cases.keys()].filter((key) => !after.cases.has(key)).length;
  const all: readonly (readonly [number, string])[] = [
    [added, added === 1 ? 'is new' : 'are new'],
    [gone, gone === 1 ? 'is gone' : 'are gone'],
    [otherwise, otherwise === 1 ? 'asks the agent something else' : 'ask the agent something else'],
    [changed, 'changed in what is expected or how it is judged'],
  ];
  return [
    ...(before.agent === after.agent ? [] : [`the agent was ${before.agent} and is ${after.agent}`]),
    ...all.flatMap(([number, what]) => (number === 0 ? [] : [`${counted(number, 'case')} ${what}`])),
  ];
}
