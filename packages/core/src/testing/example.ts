import type { EvalCase } from '@agent-criteria/formats';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { Missing } from '../contracts/score.ts';
import type { Inference } from '../contracts/transcript.ts';

/** An example conversation with its expected scores. */
export interface CriterionExample {
  /** The behaviour that the example shows, such as "a missing word lowers recall". */
  readonly name: string;
  readonly evalCase: EvalCase;
  readonly inference: Inference;
  /** As users write them, in either spelling. Default: none. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Returns new models by name for each evaluation; most criteria use `judge`. Default: none. */
  readonly models?: (() => Readonly<Record<string, LanguageModel>>) | undefined;
  /** Answers the calls to `tools.call`. Default: the criterion's own `send` does. */
  readonly answer?: ((service: string, request: unknown) => unknown) | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly compat?: 'adk' | undefined;
  /**
   * The score of each turn, or of the conversation: a number, or the reason why there is none. Numbers are compared
   * with `===`.
   */
  readonly scores: readonly (number | Missing)[];
}

export interface ConformanceOptions {
  /** At least one example. Together they should show a good, a bad and a missing score. */
  readonly examples: readonly CriterionExample[];
  /** Options that must be rejected. Default: none. */
  readonly badOptions?: readonly Readonly<Record<string, unknown>>[] | undefined;
}
