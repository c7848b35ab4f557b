import type { ConversationScenario } from '@agent-criteria/core';

/** The similarity from which two scenarios count as the same. */
const SAME = 0.8;

/**
 * Whether two scenarios are the same but for details of wording: they begin with the same words, or more than four in
 * five of their pairs of characters are the same (Dice's coefficient, which needs no words and so works for all
 * languages).
 */
export function isSimilar(one: ConversationScenario, other: ConversationScenario): boolean {
  if (plain(one.startingPrompt) === plain(other.startingPrompt)) return true;
  return similarity(textOf(one), textOf(other)) > SAME;
}

/** Returns Dice's coefficient of the pairs of neighbouring characters in two texts, from 0 to 1. */
export function similarity(one: string, other: string): number {
  const [left, right] = [pairsOf(one), pairsOf(other)];
  const total = sizeOf(left) + sizeOf(right);
  if (total === 0) return one === other ? 1 : 0;
  let shared = 0;
  for (const [pair, count] of left) shared += Math.min(count, right.get(pair) ?? 0);
  return (2 * shared) / total;
}

function textOf({ startingPrompt, conversationPlan }: ConversationScenario): string {
  return plain(`${startingPrompt} ${conversationPlan}`);
}

/** Reduces a text to lower-case letters and digits, which carry its meaning. */
function plain(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}

function pairsOf(text: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>();
  const characters = Array.from(text);
  for (let at = 0; at + 1 < characters.length; at++) {
    const pair = `${characters[at]}${characters[at + 1]}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function sizeOf(pairs: ReadonlyMap<string, number>): number {
  return [...pairs.values()].reduce((sum, count) => sum + count, 0);
}
