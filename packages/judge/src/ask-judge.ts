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
import { readText } from './read-text.ts';
import { repairRequest } from './repair-request.ts';

/** A judge's answer to one sample, or the reason why the answer is not an opinion. */
export type JudgeAnswer<T> = { readonly model: string; readonly from?: ModelAnswer['from'] | undefined } & (
  | { readonly value: T }
  | {
      readonly failure: string;
      /** Set if the call failed, so that there is no answer. */
      readonly callFailed?: true | undefined;
    }
);

/** A request for one of a judge's samples, and a function that reads the answer. */
export interface JudgeQuestion<T> {
  readonly prompt: JudgePrompt;
  /** Returns `undefined` for an object that does not have the requested form. */
  read(value: unknown): T | undefined;
  readonly options: JudgeOptions;
  readonly tools: Tools;
  /** The number of the sample, from 0. */
  readonly sample: number;
  /** Returns the verdict in a value. An answer with two different verdicts is unreadable. Default: the whole value. */
  verdictOf?(value: T): unknown;
}

/**
 * Asks a judge for one sample, and once more if the answer is unreadable. Returns a failure if the answer was
 * truncated, blocked or empty, or unreadable twice, or if the call failed.
 *
 * @throws on abort, if the run has no such model, and if the call is skipped, as by a spent budget or a recording that
 * lacks the answer.
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
  const again = await ask(model, repairRequest(request, first, REPAIR), tools);
  // Without `callFailed`, because the first answer arrived.
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

/**
 * Returns everything that a judge sees, as strings. All samples of a prompt get the same array, so that it can be a
 * cache key.
 */
function judgedBy(prompt: JudgePrompt): readonly string[] {
  const texts = shown.get(prompt) ?? [...prompt.material.map(({ text }) => text), ...(prompt.pieced ?? [])];
  shown.set(prompt, texts);
  return texts;
}

const REPAIR =
  'Your answer could not be read as the single JSON object you were asked for. Give the same opinion again: ' +
  'only that object, complete, with every required key, and nothing before or after it.';

type Asked =
  | { readonly text: string; readonly from: ModelAnswer['from'] }
  | Extract<JudgeAnswer<never>, { failure: string }>;

async function ask(model: LanguageModel, request: ModelRequest, tools: Tools): Promise<Asked> {
  // Prevents waiting calls from being made after an abort, even if the model ignores the signal.
  tools.signal.throwIfAborted();
  let answer: ModelAnswer;
  try {
    answer = await model.generate(request, tools.signal);
  } catch (error) {
    tools.signal.throwIfAborted();
    if (isCallSkipped(error) || (CriteriaError.is(error) && error.code === 'ABORTED')) throw error;
    return { failure: `the judge failed: ${toErrorInfo(error).message}`, callFailed: true, model: model.id };
  }
  const { from } = answer;
  const reading = readText(answer, "the judge's answer");
  return 'problem' in reading ? { failure: reading.problem, model: model.id, from } : { text: reading.text, from };
}
