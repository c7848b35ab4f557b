import { MIN_EFFECT } from '../min-effect.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { casePassRateGate } from './case-pass-rate-gate.ts';
import { costGate } from './cost-gate.ts';
import { flakyGate } from './flaky-gate.ts';
import type { Baseline, GateResult, Gates } from './gate.ts';
import { meanGate } from './mean-gate.ts';
import { noWorseThanGate } from './no-worse-than-gate.ts';
import { passHatKGate } from './pass-hat-k-gate.ts';
import { passRateGate } from './pass-rate-gate.ts';
import { quantileGate } from './quantile-gate.ts';
import { regressionGate } from './regression-gate.ts';

/** A gate that applies to a run. */
interface AskedGate {
  readonly name: string;
  ask(run: RunOutcomes, options: AskOptions): GateResult;
}

interface AskOptions {
  /** The confidence level of intervals. */
  readonly level: number;
  /** How many runs are compared with the baseline at once. */
  readonly comparisons: number;
  /** An earlier run that found a regression. */
  readonly confirms: RunOutcomes | undefined;
}

/** The gates that apply, in the order of `Gates`. Without a baseline, those that need one do not. */
export function askedGates(gates: Gates, baseline: Baseline): readonly AskedGate[] {
  const {
    passRate,
    means = {},
    quantiles = {},
    passHatK,
    flakyShare,
    casePassRate,
    cost,
    regression = false,
    noWorseThan,
  } = gates;
  const asked: AskedGate[] = [];
  const add = (name: string, ask: AskedGate['ask']) => asked.push({ name, ask });
  if (passRate !== undefined) add('pass_rate', (run, { level }) => passRateGate(run, passRate, level));
  for (const [criterion, limit] of Object.entries(means)) {
    add(`means.${criterion}`, (run, { level }) => meanGate(run, criterion, limit, level));
  }
  for (const [criterion, limit] of Object.entries(quantiles)) {
    add(`quantiles.${criterion}`, (run, { level }) => quantileGate(run, criterion, limit, level));
  }
  if (passHatK !== undefined) add('pass_hat_k', (run, { level }) => passHatKGate(run, passHatK, level));
  if (flakyShare !== undefined) add('flaky_share', (run, { level }) => flakyGate(run, flakyShare, level));
  if (casePassRate !== undefined) add('case_pass_rate', (run) => casePassRateGate(run, casePassRate));
  if (cost !== undefined) add('cost', (run, { level }) => costGate(run, cost, level));
  if (baseline === null) return asked;
  if (regression !== false) {
    const minEffect = regression === true ? MIN_EFFECT : regression;
    add('regression', (run, { comparisons, confirms }) =>
      regressionGate(run, baseline, { minEffect, comparisons, confirms }),
    );
  }
  if (noWorseThan !== undefined) {
    add('no_worse_than', (run, { comparisons }) => noWorseThanGate(run, baseline, noWorseThan, comparisons));
  }
  return asked;
}

/** The names of the gates that `gateResults` asks, in their order. */
export function gateNames(gates: Gates, baseline: Baseline): readonly string[] {
  return askedGates(gates, baseline).map(({ name }) => name);
}
