import { createInterface } from 'node:readline';
import type { EvalCase, FunctionCall, Inference, Invocation, Part } from '@agent-criteria/core';
import { inference } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolParameterMatch, toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { migrateEvalData } from '@agent-criteria/formats/migration';
import { isUnknown } from '@agent-criteria/statistics';
import { rouge1, rouge2, rougeL, stem, tokenize } from '../../packages/criteria-rouge/src/rouge.ts';
import * as files from '../../packages/formats/src/data/parse.ts';
import { answered } from '../golden-rows/drivers/response-match.ts';
import { callStatistics } from '../golden-rows/drivers/statistics.ts';
import { invocationsOf as callsOf } from '../golden-rows/drivers/tool-parameters.ts';
import { type Call, invocationsOf, type Shape } from '../golden-rows/drivers/trajectory.ts';
import { adkOutcome, refusalOf, type Scoring, throughCore } from '../golden-rows/through-core.ts';

// This project as a port: answers the rows of packages/conformance in compat mode.

interface Pair {
  readonly candidate: string;
  readonly reference: string;
  readonly use_stemmer: boolean;
}

interface Evaluation<Turn> {
  readonly threshold: number;
  readonly actual: readonly Turn[];
  readonly expected: readonly Turn[] | null;
}

interface Trajectory extends Evaluation<readonly Call[]> {
  readonly match_type: string;
  readonly ignore_args: boolean;
  readonly actual_shape: readonly Shape[];
  readonly expected_shape: readonly Shape[];
}

interface FileInput {
  readonly text: string;
  readonly initial_session?: unknown;
  readonly id?: string;
}

const pair = (rouge: typeof rouge1, tokenizer: 'unicode' | 'ascii') => (input: unknown) => {
  const { candidate, reference, use_stemmer } = input as Pair;
  return rouge(candidate, reference, use_stemmer ? { tokenizer } : { tokenizer, stem: false });
};

/** A function for each kind that this port supports. */
const kinds: Readonly<Record<string, (input: never) => unknown>> = {
  rouge1: pair(rouge1, 'unicode'),
  rouge2: pair(rouge2, 'unicode'),
  rougeL: pair(rougeL, 'unicode'),
  rouge1_default_tokenizer: pair(rouge1, 'ascii'),
  rouge_tokens: ({ text }: { text: string }) => ({
    tokens_stemmed: tokenize(text),
    tokens_unstemmed: tokenize(text, { stem: false }),
  }),
  stem: ({ word }: { word: string }) => stem(word),
  tool_trajectory_avg_score: (input: Trajectory) =>
    evaluated(
      { criterion: toolTrajectory, threshold: input.threshold, options: optionsOf(input) },
      invocationsOf(input.actual, input.actual_shape),
      input.expected && invocationsOf(input.expected, input.expected_shape),
    ),
  tool_parameter_match: ({ threshold, actual, expected }: Evaluation<readonly FunctionCall[]>) =>
    evaluated({ criterion: toolParameterMatch, threshold }, callsOf(actual), expected && callsOf(expected)),
  response_match_score: ({ threshold, actual, expected }: Evaluation<Part[] | null>) =>
    evaluated({ criterion: responseMatch, threshold }, actual.map(answered), expected?.map(answered) ?? null),
  'files/eval_set': (input: FileInput) => files.writeEvalSet(files.parseEvalSet(JSON.parse(input.text)).value),
  'files/legacy_eval_set': ({ text, initial_session: initialSession, id }: FileInput) =>
    files.writeEvalSet(migrateEvalData(JSON.parse(text), { initialSession, id }).value),
  'files/eval_config': (input: FileInput) => files.writeEvalConfig(files.parseEvalConfig(JSON.parse(input.text)).value),
  'files/session_input': (input: FileInput) =>
    files.writeSessionInput(files.parseSessionInput(JSON.parse(input.text)).value),
  'files/conversation_scenarios': (input: FileInput) =>
    files.writeConversationScenarios(files.parseConversationScenarios(JSON.parse(input.text)).value),
  'files/conversation_generation_config': (input: FileInput) =>
    files.writeConversationGenerationConfig(files.parseConversationGenerationConfig(JSON.parse(input.text)).value),
  'files/eval_set_result': (input: FileInput) =>
    files.writeEvalSetResult(files.parseEvalSetResult(JSON.parse(input.text)).value),
};

function optionsOf({ match_type, ignore_args }: Trajectory) {
  return { match_type, ignore_args };
}

/** Evaluates a conversation as ADK does. @throws Error where ADK raises one. */
async function evaluated(
  scoring: Pick<Scoring, 'criterion' | 'threshold' | 'options'>,
  actual: readonly Invocation[],
  expected: readonly Invocation[] | null,
) {
  if (expected === null) {
    const conversationScenario = { startingPrompt: 'Hi', conversationPlan: 'Talk.' };
    const refusal = refusalOf({ ...scoring, evalCase: { evalId: 'case', conversationScenario }, compat: 'adk' });
    throw new Error(refusal ?? 'a conversation without a reference was accepted');
  }
  const evalCase: EvalCase = { evalId: 'case', conversation: [...expected] };
  const happened: Inference = inference([], { invocations: [...actual] });
  const { result, criterion } = await throughCore({ ...scoring, evalCase, inference: happened, compat: 'adk' });
  if (actual.length !== expected.length) throw new Error(result.reason ?? 'the numbers of turns differ');
  const { score, status } = adkOutcome(criterion);
  return {
    overall_score: score,
    overall_status: status,
    per_invocation: criterion.turns.map(({ value, reached }) => ({
      score: value,
      status: reached === null ? 'NOT_EVALUATED' : reached ? 'PASSED' : 'FAILED',
    })),
  };
}

/** Writes the numbers that JSON cannot represent as strings, as the rows do. */
function writable(_key: string, value: unknown): unknown {
  if (isUnknown(value)) return { unknown: true };
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

async function answerOf(kind: string, input: unknown): Promise<object> {
  const [group, name = ''] = kind.split('/');
  const own = kinds[kind];
  if (own === undefined && group !== 'statistics') return { unsupported: true };
  try {
    const output = own === undefined ? callStatistics(name, input as never) : await own(input as never);
    return { output };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, kind, input } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id, ...(await answerOf(kind, input)) }, writable)}\n`);
}
