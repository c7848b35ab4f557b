import { CriteriaError, type Criterion, type FunctionCall, type Invocation, toolCalls } from '@agent-criteria/core';
import { type ExpectedTurn, type JudgeOptions, judgeTurns, turnsOf } from './judge-turns.ts';
import { plainError } from './plain-error.ts';

/** The entry of a criterion in a config: its threshold and its own options. */
export type CriterionOptions = { readonly threshold?: number | undefined } & Readonly<Record<string, unknown>>;

/** The expected result of a turn: the text of the answer, the calls, or both. */
export interface ExpectedAnswer {
  readonly text?: string | undefined;
  /** Default: no calls are expected. */
  readonly toolCalls?: readonly FunctionCall[] | undefined;
}

/** The reference for `toPassCriterion`, and options for judging. */
export interface PassCriterionOptions extends JudgeOptions {
  /**
   * The reference: an answer if there is one turn, or a list with one entry per turn. Default: none, for criteria that
   * need no reference.
   */
  readonly expected?: string | readonly (string | ExpectedAnswer)[] | undefined;
}

/** The calls of one turn or of a whole run, or one list of calls per turn. */
export type ExpectedCalls = readonly FunctionCall[] | readonly (readonly FunctionCall[])[];

/**
 * Matchers for a turn or a result of `runAgent`. All are asynchronous and must be awaited. A matcher whose criterion
 * could not judge fails with the reason, even after `.not`.
 */
export interface AgentMatchers {
  /**
   * Expects these tool calls, using `tool_trajectory_avg_score` with a threshold of 1. A single list is compared with
   * the calls of all turns.
   */
  toMatchTrajectory(expected: ExpectedCalls, options?: CriterionOptions): Promise<void>;
  /**
   * Expects an answer with the words of this text, using ROUGE-1 (`response_match_score`) with a threshold of 0.8. A
   * single string is compared with the last answer, a list with the answer of each turn.
   */
  toMatchResponse(expected: string | readonly string[], options?: CriterionOptions): Promise<void>;
  /** Expects a criterion, given by name or as a value, to pass with this threshold or these options. */
  toPassCriterion(
    criterion: string | Criterion,
    options: number | CriterionOptions,
    more?: PassCriterionOptions,
  ): Promise<void>;
}

interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** The matchers for `expect.extend`. Importing `@agent-criteria/vitest/setup` registers them. */
export const agentMatchers = {
  toMatchTrajectory: (
    received: unknown,
    expected: ExpectedCalls,
    options: CriterionOptions = {},
  ): Promise<MatcherResult> =>
    withPlainError(() => {
      const turns = turnsOf(received);
      const byTurn = isByTurn(expected);
      const judged = byTurn ? turns : [asOneTurn(turns)];
      const calls = byTurn ? expected : [expected];
      return judge(
        judged,
        'tool_trajectory_avg_score',
        { ...options, threshold: options.threshold ?? 1 },
        calls.map(expectCalls),
      );
    }),
  toMatchResponse: (
    received: unknown,
    expected: string | readonly string[],
    options: CriterionOptions = {},
  ): Promise<MatcherResult> =>
    withPlainError(() => {
      const turns = turnsOf(received);
      const judged = typeof expected === 'string' ? turns.slice(-1) : turns;
      const texts = typeof expected === 'string' ? [expected] : expected;
      return judge(
        judged,
        'response_match_score',
        { ...options, threshold: options.threshold ?? 0.8 },
        texts.map(expectText),
      );
    }),
  toPassCriterion: (
    received: unknown,
    criterion: string | Criterion,
    options: number | CriterionOptions,
    { expected, ...more }: PassCriterionOptions = {},
  ): Promise<MatcherResult> =>
    withPlainError(() => {
      const turns = turnsOf(received);
      return judge(turns, criterion, options, expected === undefined ? null : expectAnswers(expected), more);
    }),
};

async function withPlainError(work: () => Promise<MatcherResult>): Promise<MatcherResult> {
  try {
    return await work();
  } catch (error) {
    throw plainError(error);
  }
}

async function judge(
  turns: readonly Invocation[],
  criterion: string | Criterion,
  options: number | CriterionOptions,
  expected: readonly ExpectedTurn[] | null,
  more?: JudgeOptions,
): Promise<MatcherResult> {
  const { result, text } = await judgeTurns(turns, criterion, options, expected, more);
  const { name, score, threshold } = result;
  return {
    pass: result.verdict === 'passed',
    message: () =>
      result.verdict === 'passed'
        ? `expected ${name} not to pass, but it scored ${score} with the threshold ${threshold}`
        : text,
  };
}

function isByTurn(expected: ExpectedCalls): expected is readonly (readonly FunctionCall[])[] {
  if (!Array.isArray(expected)) {
    throw new CriteriaError({ code: 'USAGE', message: 'give the expected calls as a list of { name, args }' });
  }
  return expected.length > 0 && expected.every((one) => Array.isArray(one));
}

/** Merges turns into one, with all their calls and the last answer. */
function asOneTurn(turns: readonly Invocation[]): Invocation {
  const [only, ...others] = turns;
  if (only !== undefined && others.length === 0) return only;
  const { userContent = {}, finalResponse } = turns.at(-1) ?? {};
  return {
    userContent,
    finalResponse: finalResponse ?? null,
    intermediateData: { toolUses: turns.flatMap(toolCalls) },
  };
}

function expectCalls(calls: readonly FunctionCall[]): ExpectedTurn {
  return { intermediateData: { toolUses: [...calls] } };
}

function expectText(text: string): ExpectedTurn {
  return { finalResponse: { role: 'model', parts: [{ text }] } };
}

function expectAnswers(expected: string | readonly (string | ExpectedAnswer)[]): readonly ExpectedTurn[] {
  const list = typeof expected === 'string' ? [expected] : expected;
  return list.map((one) => {
    const { text, toolCalls: calls = [] }: ExpectedAnswer = typeof one === 'string' ? { text: one } : one;
    return { ...(text === undefined ? {} : expectText(text)), ...expectCalls(calls) };
  });
}
