import type { Criterion } from '../contracts/criterion.ts';
import type { Missing, Score } from '../contracts/score.ts';
import type { Tools } from '../contracts/tools.ts';
import { createRegistry } from '../registry/registry.ts';
import type { Plan } from '../resolve/plan.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { ends, scoreBounds } from '../scoring/bounds.ts';
import { contradictsItself } from '../scoring/sanitise-score.ts';
import { scoreUnit } from '../scoring/score-unit.ts';
import { evalSet, unit } from './builders.ts';
import type { CriterionExample } from './example.ts';

/** Wraps the tools of a turn; `turn` is `null` for a conversation. */
export type WrapTools = (turn: number | null, tools: Tools) => Tools;

/**
 * Scores an example through core.
 * @throws Error if the criterion changes its options, contradicts itself, or gives a score that is not plain JSON.
 */
export async function scoreExample(
  criterion: Criterion,
  example: CriterionExample,
  wrap?: WrapTools,
  signal?: AbortSignal,
): Promise<readonly Score[]> {
  const plan = planFor(criterion, example, example.options);
  const options = JSON.stringify(plan.criteria[0]?.options);
  const scored = await scoreUnit(plan, unit(example.evalCase), example.inference, {
    signal,
    tools: (bound, plain) => {
      const answered: Tools = example.answer === undefined ? plain : answering(plain, example.answer.bind(example));
      return wrap?.(bound.turn, answered) ?? answered;
    },
  });
  assert(
    JSON.stringify(plan.criteria[0]?.options) === options,
    'changed its options: the next turn and case see them too',
  );
  const [only] = scored.criteria;
  assert(only !== undefined, 'nothing was scored: the inference of an example must not end in an error');
  assert(
    !only.scores.some(contradictsItself),
    'gave both a result and `missing`: return { value: null, missing, reason } where nothing could be judged',
  );
  // Scores are written to files.
  assert(isSame(only, JSON.parse(JSON.stringify(only))), 'a score is not plain JSON');
  return only.scores;
}

/**
 * Resolves a config that has only this criterion.
 * @throws CriteriaError if the options are rejected.
 */
export function planFor(
  criterion: Criterion,
  example: CriterionExample,
  options: Readonly<Record<string, unknown>> = {},
): Plan {
  const models = example.models?.() ?? {};
  const { best } = ends(criterion.range);
  const threshold = Number.isFinite(best) ? best : criterion.range.min;
  return resolveEvalConfig({
    evalSet: evalSet([example.evalCase]),
    config: { criteria: { [criterion.name]: criterion.decides ? { threshold, ...options } : { ...options } } },
    registry: createRegistry([criterion]),
    models: (name) => models[name],
    environment: example.environment ?? {},
    compat: example.compat ?? null,
    scoringOnly: true,
  });
}

function answering(tools: Tools, answer: (service: string, request: unknown) => unknown): Tools {
  return {
    ...tools,
    async call<Request, Answer>(ask: { service: string; request: Request }) {
      return { answer: (await answer(ask.service, ask.request)) as Answer, from: 'live' as const };
    },
  };
}

/** Returns a score's number, or why it has none. */
export function outcomeOf(score: Score, criterion: Criterion): number | Missing {
  const bounds = scoreBounds(score, criterion.range);
  if (bounds === null) return 'not-applicable';
  return bounds.shown === null ? 'could-not-judge' : bounds.shown;
}

/** Compares two values as JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
