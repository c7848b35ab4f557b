import {
  CriteriaError,
  isCallSkipped,
  type LanguageModel,
  type ModelAnswer,
  type ModelRequest,
  type Tools,
  toErrorInfo,
} from '@agent-criteria/core';
import { type JudgeOptions, judgeName } from './options.ts';
import { type JudgePrompt, judgeRequest } from './prompt.ts';
import { readAnswer } from './read-answer.ts';

/** A judge's answer to one sample, or why it gave no opinion. */
export type JudgeAnswer<T> = { readonly model: string; readonly from?: ModelAnswer['from'] | undefined } & (
  | { readonly value: T }
  | {
      readonly failure: string;
      /** The call itself failed: there is no answer at all. */
      readonly callFailed?: true | undefined;
    }
);

/** One sample of a judge: what to ask, and how to read the answer. */
export interface JudgeQuestion<T> {
  readonly prompt: JudgePrompt;
  /** Returns `undefined` for an object that does not have the requested form. */
  read(value: unknown): T | undefined;
  readonly options: JudgeOptions;
  readonly tools: Tools;
  /** From 0. */
  readonly sample: number;
  /** Returns the verdict in a value: an answer with two contradictory verdicts cannot be read. Default: the whole value. */
  verdictOf?(value: T): unknown;
}

/**
 * Asks a judge once. If the answer cannot be read, asks once more. An answer that was cut off, blocked or empty is not an
 * opinion, nor is a call that failed.
 *
 * @throws only on abort, and for what ends the run: a spent budget or a missing recording.
 */
export async function askJudge<T>(question: JudgeQuestion<T>): Promise<JudgeAnswer<T>> {
  const { prompt, read, options, tools, sample, verdictOf } = question;
  const model = tools.model(judgeName(options));
  const request = judgeRequest(prompt, options.judgeModelOptions, sample);
  const judged = judgedBy(prompt);
  const first = await ask(model, request, tools);
  if ('failure' in first) return first;
  const required = requiredKeys(prompt);
  const reading = readAnswer(first.text, read, judged, verdictOf, required);
  if ('value' in reading) return { value: reading.value, model: model.id, from: first.from };
  const again = await ask(model, repairRequest(request, first.text), tools);
  // The first answer arrived, so the call itself did not fail.
  if ('failure' in again) return { failure: again.failure, model: model.id, from: again.from ?? first.from };
  const repaired = readAnswer(again.text, read, judged, verdictOf, required);
  const from = again.from;
  if ('value' in repaired) return { value: repaired.value, model: model.id, from };
  return {
    failure: `the judge's answer could not be read, twice: ${repaired.problem}`,
    model: model.id,
    from,
  };
}

function requiredKeys({ schema }: JudgePrompt): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

const shown = new WeakMap<JudgePrompt, readonly string[]>();

/** What a judge is shown: the same list for all samples of a prompt. */
function judgedBy(prompt: JudgePrompt): readonly string[] {
  const texts = shown.get(prompt) ?? [...prompt.material.map(({ text }) => text), ...(prompt.pieced ?? [])];
  shown.set(prompt, texts);
  return texts;
}

/** The same question, followed by the answer that could not be read. */
function repairRequest(request: ModelRequest, answer: string): ModelRequest {
  const text =
    'Your answer could not be read as the single JSON object you were asked for. Give the same opinion again: ' +
    'only that object, complete, with every required key, and nothing before or after it.';
  return {
    ...request,
    messages: [...request.messages, { role: 'model', parts: [{ text: answer }] }, { role: 'user', parts: [{ text }] }],
  };
}

type Asked =
  | { readonly text: string; readonly from: ModelAnswer['from'] }
  | Extract<JudgeAnswer<never>, { failure: string }>;

async function ask(model: LanguageModel, request: ModelRequest, tools: Tools): Promise<Asked> {
  // Calls still waiting when the run is aborted are not made, even if the model ignores the signal.
  tools.signal.throwIfAborted();
  let answer: ModelAnswer;
  try {
    answer = await model.generate(request, tools.signal);
  } catch (error) {
    tools.signal.throwIfAborted();
    if (isCallSkipped(error) || (CriteriaError.is(error) && error.code === 'ABORTED')) throw error;
    return { failure: `the judge failed: ${toErrorInfo(error).message}`, callFailed: true, model: model.id };
  }
  const { text, finish, from } = answer;
  const failure = (why: string): Asked => ({ failure: why, model: model.id, from });
  if (finish === 'length') return failure("the judge's answer was cut off at its token limit");
  if (finish === 'blocked') return failure("a safety filter blocked the judge's answer");
  if (typeof text !== 'string' || text.trim() === '') return failure("the judge's answer was empty");
  return { text, from };
}
