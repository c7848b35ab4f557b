import assert from 'node:assert/strict';
import {
  CriteriaError,
  type Criterion,
  type EvalCase,
  type Inference,
  type LanguageModel,
  type Score,
} from '@agent-criteria/core';
import {
  type CaseResult,
  type CriterionResult,
  createRegistry,
  type Plan,
  resolveEvalConfig,
  scoreUnit,
  summariseCase,
} from '@agent-criteria/core/host';
import { evalCase, evalSet, inference, scriptedModel, unit } from '@agent-criteria/core/testing';
import { type Conversation, comesTo, explained, type Outcome, type Status } from './as-lines-say.ts';
import type { Held } from './held.ts';

export const MODES = [null, 'adk'] as const;
export type Mode = (typeof MODES)[number];

export interface Scoring {
  readonly criterion: Criterion;
  readonly evalCase: EvalCase;
  readonly inference: Inference;
  readonly threshold: number;
  readonly compat: Mode;
  /** The options other than the threshold, as in a config. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly judge?: LanguageModel;
}

/** Runs one case through all of core: config, scores, verdict. */
export async function throughCore(scoring: Scoring): Promise<{ result: CaseResult; criterion: CriterionResult }> {
  const plan = planOf(scoring);
  const scored = await scoreUnit(plan, unit(scoring.evalCase), scoring.inference);
  const result = summariseCase(plan, scoring.evalCase, [scored]);
  const [criterion] = result.criteria;
  if (criterion === undefined) throw new Error('nothing was scored');
  return { result, criterion };
}

/** Returns the code of the error that rejects the config, or `null` if it is accepted. */
export function refusalOf(scoring: Omit<Scoring, 'inference'>): string | null {
  try {
    resolve(scoring, scoring.threshold);
    return null;
  } catch (error) {
    if (CriteriaError.is(error)) return error.problems.map(({ code }) => code).join(' ');
    throw error;
  }
}

/** Plans a case. ADK accepts any threshold and no turns, which we reject, so such values are set after the check. */
function planOf(scoring: Scoring): Plan {
  const { min, max } = scoring.criterion.range;
  const { threshold, evalCase: given } = scoring;
  const isOutside = threshold < min || (max !== null && threshold > max);
  const resolvable = given.conversation?.length === 0 ? turnsOf(1).evalCase : given;
  const plan = resolve({ ...scoring, evalCase: resolvable }, isOutside ? min : threshold);
  return { ...plan, criteria: plan.criteria.map((planned) => ({ ...planned, threshold })) };
}

function resolve({ criterion, evalCase: one, compat, options, judge }: Omit<Scoring, 'inference'>, threshold: number) {
  return resolveEvalConfig({
    evalSet: evalSet([one]),
    config: { criteria: { [criterion.name]: { threshold, ...options } } },
    registry: createRegistry([criterion]),
    models: () => judge ?? silent,
    compat,
    scoringOnly: true,
  });
}

const silent = scriptedModel(() => {
  throw new Error('no judge is asked here');
});

/** Returns the criterion with these scores by turn instead of its own. */
export function givingScores(criterion: Criterion, scores: readonly Score[], range = criterion.range): Criterion {
  const evaluate = (turn: { readonly index: number }): Score => {
    const score = scores[turn.index];
    if (score === undefined) throw new Error('there is no such turn');
    return score;
  };
  return { ...criterion, range, scope: 'turn', evaluate };
}

/** Returns a case with this many turns to which every reference-based criterion applies, and its inference. */
export function turnsOf(count: number): { readonly evalCase: EvalCase; readonly inference: Inference } {
  const words = Array.from({ length: count }, (_, index) => ({ user: `Question ${index}`, answer: `Answer ${index}` }));
  return { evalCase: evalCase('case', words), inference: inference(words) };
}

/** Returns the outcome that compat mode shows for ADK. */
export function adkOutcome({ score, adkStatus }: CriterionResult): Outcome {
  const status = { 1: 'PASSED', 2: 'FAILED', 3: 'NOT_EVALUATED', 4: 'NOT_EVALUATED' } as const;
  if (adkStatus === undefined) throw new Error('compat mode shows a status of ADK');
  return { score, status: status[adkStatus] };
}

/** Returns our outcome in ADK's terms. */
export function ourOutcome({ score, verdict }: CriterionResult): Outcome {
  return { score, status: statusOf(verdict) };
}

export function statusOf(verdict: string): Status {
  const statuses: Readonly<Record<string, Status>> = {
    passed: 'PASSED',
    failed: 'FAILED',
    'not-evaluated': 'NOT_EVALUATED',
  };
  const status = statuses[verdict];
  if (status === undefined) throw new Error(`ADK has no word for ${verdict}`);
  return status;
}

/** Checks that compat mode changes only numbers, and keeps the verdict of the honest rule. */
export function honestInCompat({ verdict }: CriterionResult, { status }: Outcome): void {
  assert.equal(statusOf(verdict), status, 'the verdict of compat mode');
}

/** Compares a row about the score of a conversation in both modes. */
export async function heldConversation(
  conversation: Conversation,
  adk: Outcome,
  run: (compat: Mode) => Promise<CriterionResult>,
): Promise<Held> {
  const [compat, ours] = [await run('adk'), await run(null)];
  honestInCompat(compat, comesTo(conversation, new Set(['missing-is-a-bound'])));
  return explained(LINES_OF_CORE, (lines) => comesTo(conversation, lines), {
    adk,
    compat: adkOutcome(compat),
    ours: ourOutcome(ours),
  });
}

const LINES_OF_CORE = ['exact-mean', 'tolerance', 'missing-is-a-bound', 'mean-of-turns'];
