import type { Criterion, EvaluateContext } from '../contracts/criterion.ts';
import type { Score } from '../contracts/score.ts';
import type { Tools } from '../contracts/tools.ts';
import type { Transcript, Turn } from '../contracts/transcript.ts';
import { namedArguments } from '../named-arguments.ts';

const { Named, call } = namedArguments({
  now: 'evaluate(turn, { options, tools, transcript })',
  before: 'evaluate(turn, options, tools, transcript)',
});

class Context extends Named implements EvaluateContext<unknown> {
  readonly options: unknown;
  readonly tools: Tools;
  readonly transcript: Transcript;

  constructor({ options, tools, transcript }: EvaluateContext<unknown>) {
    super();
    this.options = options;
    this.tools = tools;
    this.transcript = transcript;
  }
}

/**
 * Calls a criterion's `evaluate` for a turn, or for the whole transcript if `turn` is `null`.
 *
 * @throws CriteriaError UNSUPPORTED_SPEC_VERSION if it reads its arguments in the form used before contract version 3.
 */
export function callEvaluate(
  criterion: Criterion,
  turn: Turn | null,
  context: EvaluateContext<unknown>,
): Score | Promise<Score> {
  const evaluate: (...given: never[]) => Score | Promise<Score> = criterion.evaluate;
  return call(evaluate, criterion, turn ?? context.transcript, new Context(context));
}
