import type { ConversationScenario, ModelAnswer } from '@agent-criteria/core';
import { isObject, readAnswer, readText, textOf } from '@agent-criteria/judge/texts';

/** The scenarios in an answer by the index of their aim, or the reason why the answer is unusable. */
export type ScenariosReading =
  | { readonly scenarios: ReadonlyMap<number, Pick<ConversationScenario, 'startingPrompt' | 'conversationPlan'>> }
  | { readonly problem: string };

/** The maximum length of a message and of a plan. Real ones are shorter. */
const LONGEST = 20_000;

/**
 * Reads the scenarios in an answer. Entries with an unknown or repeated number, without a message or a plan, or with a
 * text of more than 20,000 characters are left out.
 *
 * @param count The number of scenarios that were asked for.
 * @param shown The texts in the request. An object that occurs in one of them is not the model's own answer.
 */
export function readScenarios(
  answer: Pick<ModelAnswer, 'text' | 'finish'>,
  count: number,
  shown: readonly string[],
): ScenariosReading {
  const answered = readText(answer);
  if ('problem' in answered) return answered;
  const reading = readAnswer(answered.text, readObject, shown);
  if (!('value' in reading)) return { problem: reading.problem };
  const scenarios = new Map<number, { readonly startingPrompt: string; readonly conversationPlan: string }>();
  const repeated = new Set<number>();
  for (const { number, startingPrompt, conversationPlan } of reading.value) {
    const index = Number(number) - 1;
    const isUsable = [startingPrompt, conversationPlan].every((part) => part !== '' && part.length <= LONGEST);
    if (!isUsable || !Number.isInteger(index) || index < 0 || index >= count) continue;
    if (scenarios.has(index)) repeated.add(index);
    scenarios.set(index, { startingPrompt, conversationPlan });
  }
  // Which of two entries belongs to the aim is unknown.
  for (const index of repeated) scenarios.delete(index);
  return { scenarios };
}

function readObject(value: unknown) {
  if (!isObject(value) || !Array.isArray(value.scenarios)) return undefined;
  return value.scenarios.filter(isObject).map(({ number, starting_prompt, conversation_plan }) => ({
    number: typeof number === 'string' ? number.trim() : number,
    startingPrompt: textOf(starting_prompt),
    conversationPlan: textOf(conversation_plan),
  }));
}
