import type { Invocation } from '@agent-criteria/core';
import type { Conversation } from '../conversation.ts';
import { lastTurnJudged } from '../criteria/last-turn-judged.ts';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { asQuestion } from '../messages/as-question.ts';
import { messagesOfAnswer, readMessages } from '../messages/read-messages.ts';
import type { Reading } from '../reading.ts';
import { textOf } from '../templates/fill-template.ts';
import { criteriaOfTest } from './criteria-of-test.ts';
import type { FileReferences } from './file-references.ts';
import { tagsOf } from './read-config.ts';
import { messagesIn } from './render-prompt.ts';
import { type ResultName, testName } from './result-names.ts';

/** The keys of a result that are read, or that say again what others say. */
const KEYS = [
  ...[
    'id',
    'evalId',
    'description',
    'promptIdx',
    'testIdx',
    'testCase',
    'test',
    'promptId',
    'provider',
    'prompt',
    'vars',
  ],
  ...['response', 'error', 'failureReason', 'success', 'score', 'latencyMs', 'gradingResult', 'namedScores', 'cost'],
  ...['metadata', 'tokenUsage', 'createdAt', 'updatedAt', 'persisted', 'pluginId'],
];
/** The keys of a response that are read, or that say again what others say. */
const RESPONSE_KEYS = ['output', 'error', 'tokenUsage', 'cost', 'latencyMs', 'cached', 'metadata'];

/** Reads a result: what the model was asked and answered, with the verdict as its label. @returns why it is none. */
export async function readResult(
  result: Fields,
  where: string,
  files: FileReferences,
  name: (result: Fields) => ResultName,
  reading: Reading,
): Promise<Conversation | string> {
  const lose = (what: string): void => reading.losses.add(what, where);
  const test = { ...objectIn(result.test), ...objectIn(result.testCase) };
  const vars = { ...objectIn(test.vars), ...objectIn(result.vars) };
  const prompt = promptOf(result);
  if (prompt === null) return 'this result has no prompt, so nothing says what was asked';
  const response = objectIn(result.response);
  const grading = objectIn(result.gradingResult);
  const output = response.output ?? null;
  const provider = providerOf(result.provider);
  const { turns: read } = readMessages([...asQuestion(messagesIn(prompt), lose), ...answerOf(output)], {
    onLoss: lose,
    usage: usageOf(response.tokenUsage ?? result.tokenUsage, provider),
  });
  if (read.length === 0) return 'this result has no message of the user, so there is nothing to answer';
  for (const key of Object.keys(result)) {
    if (!KEYS.includes(key)) lose(`the key "${key.slice(0, 60)}" of results, left out`);
  }
  for (const key of Object.keys(response)) {
    if (!RESPONSE_KEYS.includes(key)) lose(`the key "${key.slice(0, 60)}" of responses, left out`);
  }
  if (typeof result.cost === 'number' && result.cost > 0) lose('costs, left out');
  if (Object.keys(objectIn(result.namedScores)).length > 0) lose('named scores, left out');
  const problem = [result.error, response.error].find((one): one is string => typeof one === 'string' && one !== '');
  // A failed assertion is an error in the words of promptfoo, too.
  const isBroken = problem !== undefined && (result.failureReason === 2 || output === null);
  const seconds = typeof result.latencyMs === 'number' ? result.latencyMs / 1000 : undefined;
  const turns = read.map((turn, index): Invocation => {
    if (index < read.length - 1) return turn;
    return {
      ...turn,
      ...(seconds === undefined ? {} : { duration: seconds }),
      ...(isBroken ? { finalResponse: null } : {}),
    };
  });
  const { criteria, reference } = await criteriaOfTest(test, vars, files, lose, reading);
  const group = testName(result);
  const tags = [
    ...tagsOf(test.metadata, lose),
    ...(provider === undefined ? [] : [`provider=${provider}`.slice(0, 200)]),
  ];
  const isJudged =
    [grading.componentResults, test.assert].some((all) => objectsIn(all).length > 0) ||
    (typeof grading.pass === 'boolean' && grading.reason !== 'No assertions');
  const verdict = isJudged ? { label: labelOf(result, grading) } : {};
  return {
    ...name(result),
    where,
    ...lastTurnJudged(turns, reference),
    criteria,
    ...(group === null ? {} : { group }),
    tags,
    ...(isBroken ? { error: { code: 'AGENT_FAILED' as const, message: problem ?? '' } } : verdict),
  };
}

function promptOf(result: Fields): string | null {
  const { prompt } = result;
  if (typeof prompt === 'string') return prompt;
  const { raw, display } = objectIn(prompt);
  return [raw, display].find((one): one is string => typeof one === 'string') ?? null;
}

function providerOf(provider: unknown): string | undefined {
  const { label, id } = objectIn(provider);
  return [provider, label, id].find((one): one is string => typeof one === 'string' && one !== '');
}

function answerOf(output: unknown): readonly unknown[] {
  if (output === null || output === '') return [];
  const calls = objectsIn(output);
  // Without text, an answer that calls tools is the list of its calls.
  if (calls.length > 0 && calls.every((call) => call.function !== undefined)) {
    return [{ role: 'assistant', content: '', tool_calls: calls }];
  }
  return typeof output === 'object'
    ? [{ role: 'assistant', content: textOf(output) }]
    : messagesOfAnswer(textOf(output));
}

function usageOf(usage: unknown, model: string | undefined) {
  const { prompt, completion, cached } = objectIn(usage);
  if (typeof prompt !== 'number') return model === undefined ? undefined : { counts: undefined, model };
  const details = typeof cached === 'number' ? { prompt_tokens_details: { cached_tokens: cached } } : {};
  return { counts: { prompt_tokens: prompt, completion_tokens: completion, ...details }, model };
}

/** The verdict, with the reason of each assertion. */
function labelOf(result: Fields, grading: Fields): Conversation['label'] {
  const parts = objectsIn(grading.componentResults).map(({ pass, score, reason, assertion }) => {
    const type = String(objectIn(assertion).type ?? 'assertion');
    const said = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
    return `${type} ${pass === true ? 'passed' : 'failed'}${typeof score === 'number' ? ` (${score})` : ''}${said}`;
  });
  const comment = typeof grading.comment === 'string' && grading.comment !== '' ? [grading.comment] : [];
  const whole = typeof grading.reason === 'string' ? [grading.reason] : [];
  const reasons = [...comment, ...(parts.length > 0 ? parts : whole)];
  return { label: result.success === true ? 'pass' : 'fail', reason: reasons.length === 0 ? null : reasons.join('; ') };
}
