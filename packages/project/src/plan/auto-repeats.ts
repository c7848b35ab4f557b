import { caseStatus, type Gates, gatesMovedByStopping, passedOf } from '@agent-criteria/analysis';
import { writtenPercent } from '@agent-criteria/analysis/text';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type AutoRepeats, MOST_REPEATS } from '@agent-criteria/runner';
import { mostRepeats } from '../config/settings/repeats-setting.ts';
import type { Settings } from '../config/settings/settings-type.ts';
import type { PreparedSet } from './plan-sets.ts';

/** The number of times that cases run. */
export interface PlannedRepeats {
  /** The number of repeats or, with `auto`, the maximum. */
  readonly repeats: number;
  /** Stops a case once it is clear which side of this pass rate it is on. Default: each case runs `repeats` times. */
  readonly auto?: Pick<AutoRepeats, 'casePassRate'> | undefined;
}

/**
 * Plans how often cases run, from the setting `repeats` and the gates of a run.
 *
 * @throws CriteriaError USAGE for `auto` without the gate `case_pass_rate`, or if nothing could make a repeat pass or
 *   fail.
 */
export function plannedRepeats(
  setting: Settings['repeats'],
  run: {
    readonly sets: readonly Pick<PreparedSet, 'gates' | 'plan'>[];
    /** Gates given as flags. */
    readonly gates: Gates | undefined;
    readonly judged: boolean;
  },
): PlannedRepeats & { readonly warnings: readonly Problem[] } {
  const most = mostRepeats(setting);
  if (most === undefined) return { repeats: fixedRepeats(setting, 1), warnings: [] };
  if (!run.judged) {
    const message =
      '--num-runs auto needs verdicts to decide how often a case runs, and nothing is judged here: use --num-runs N';
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const idle = run.sets.find(({ plan }) => !plan.criteria.some(({ decides }) => decides));
  if (idle !== undefined) {
    const message = `--num-runs auto needs repeats that pass or fail, but no criterion of "${idle.plan.evalSet.evalSetId}" has a threshold: set one, or use --num-runs N`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  const ofConfigs = run.sets.map(({ gates }) => gates?.gates.casePassRate).find((rate) => rate !== undefined);
  const casePassRate = run.gates?.casePassRate ?? ofConfigs;
  if (casePassRate === undefined) throw new CriteriaError({ code: 'USAGE', message: WITHOUT_GATE });
  const decide = run.sets.some(({ gates }) => gates?.decide === true);
  const others = new Set(
    [...run.sets.map(({ gates }) => gates?.gates), run.gates].flatMap((one) => (one ? gatesMovedByStopping(one) : [])),
  );
  const warnings = [
    ...tooFewToHold(casePassRate, most),
    ...cannotTell([...others]),
    ...(decide ? [] : [VERDICTS_STAY]),
  ];
  return { repeats: most, auto: { casePassRate }, warnings };
}

const WITHOUT_GATE =
  '--num-runs auto needs to know how often each case must pass: add --gate case_pass_rate=0.8, or "case_pass_rate": 0.8 under agent_criteria.gates of the eval config. A gate does not change verdicts: to accept cases that sometimes fail, add "decide": true there, too';

const VERDICTS_STAY: Problem = {
  code: 'USAGE',
  message:
    'gates do not change verdicts: a case that sometimes fails may still fail, and then the exit code is 1; add "decide": true under agent_criteria.gates of the eval config to let the gates alone decide',
};

function cannotTell(gates: readonly string[]): readonly Problem[] {
  if (gates.length === 0) return [];
  // Criterion names come from a config and may contain line breaks.
  const names = gates.map((gate) => gate.replace(/\s+/g, ' '));
  const message = `${names.join(', ')} cannot tell if cases stop early, because such cases look better or worse than they are: leave ${gates.length === 1 ? 'it' : 'them'} out, or use --num-runs N`;
  return [{ code: 'USAGE', message }];
}

/** Counts the cases in all sets. */
export function caseCount(sets: readonly Pick<PreparedSet, 'plan'>[]): number {
  return sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
}

/** Returns the number of repeats where it has to be fixed. @throws CriteriaError USAGE for `auto`. */
export function fixedRepeats(setting: Settings['repeats'], otherwise: number): number {
  if (typeof setting !== 'string') return setting ?? otherwise;
  const message = `repeats: "${setting}" works with the command agent-criteria eval only: give the number of repeats here`;
  throw new CriteriaError({ code: 'USAGE', message });
}

/**
 * Creates the stopping rule for `auto`: a case stops once the confidence sequence of its repeats lies entirely on one
 * side of the rate.
 *
 * @param cases The number of cases in the run.
 */
export function autoRepeats(casePassRate: number, cases: number): AutoRepeats {
  return {
    casePassRate,
    enough(verdicts) {
      const repeats = verdicts.map((verdict) => ({ passed: passedOf(verdict) }));
      return caseStatus({ repeats }, casePassRate, cases) !== 'undecided';
    },
  };
}

/**
 * Returns the smallest number of repeats, at most `most`, that can decide a case. Deciding it so soon requires that all
 * of them pass or all fail.
 */
export function fewestRepeats(casePassRate: number, most: number, cases: number): number {
  const { enough } = autoRepeats(casePassRate, cases);
  for (let n = 1; n < most; n++) {
    if (enough(Array.from({ length: n }, () => 'passed')) || enough(Array.from({ length: n }, () => 'failed')))
      return n;
  }
  return most;
}

function tooFewToHold(casePassRate: number, most: number): readonly Problem[] {
  const holdsAfter = (n: number) =>
    caseStatus({ repeats: Array.from({ length: n }, () => ({ passed: true })) }, casePassRate, 1) === 'above';
  if (holdsAfter(most)) return [];
  const what = `${most} repeats are too few to show that a case passes ${writtenPercent(casePassRate)} of the time, even if all of them pass`;
  let [few, enough] = [most, MOST_REPEATS];
  if (!holdsAfter(enough)) return [{ code: 'USAGE', message: `${what}, and so is any number; ask for a lower rate` }];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (holdsAfter(middle)) enough = middle;
    else few = middle;
  }
  return [{ code: 'USAGE', message: `${what}: that takes ${enough}; use --num-runs auto:${enough} or more` }];
}
