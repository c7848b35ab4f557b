import type { EvalCase } from '@agent-criteria/formats';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { Missing } from '../contracts/score.ts';
import type { Inference } from '../contracts/transcript.ts';

/** One situation and what the criterion must say of it. */
export interface CriterionExample {
  /** Says what is shown, as "a missing word costs recall". */
  readonly name: string;
  readonly evalCase: EvalCase;
  readonly inference: Inference;
  /** As a user writes them, in either spelling. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Fresh models for each evaluation, by name; `judge` is the usual one. */
  readonly models?: (() => Readonly<Record<string, LanguageModel>>) | undefined;
  /** Answers a service call; absent: a call of `tools.call` goes to the criterion's own `send`. */
  readonly answer?: ((service: string, request: unknown) => unknown) | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly compat?: 'adk' | undefined;
  /** One for each turn, or one for a conversation: the number, or why there is none. Numbers are compared with `===`. */
  readonly scores: readonly (number | Missing)[];
}

export interface ConformanceOptions {
  /** At least one; together they should show a good, a bad and a missing score. */
  readonly examples: readonly CriterionExample[];
  /** Options that must be refused. */
  readonly badOptions?: readonly Readonly<Record<string, unknown>>[] | undefined;
}
