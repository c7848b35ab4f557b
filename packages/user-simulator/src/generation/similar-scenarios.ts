import type { ConversationScenario } from '@agent-criteria/core';

/** The similarity from which two scenarios count as the same. */
const SAME = 0.8;

/**
 * Whether two scenarios are the same but for details of wording: they begin with the same words, or more than four in
 * five of their pairs of characters are the same (Dice's coefficient, which needs no words and so works for all
 * languages).
 */
export function isSimilar(one: ConversationScenario, other: ConversationScenario): boolean {
  const [left, right] = [wordingOf(one), wordingOf(other)];
  return left.start === right.start || similarity(left.whole, right.whole) > SAME;
}

/** Returns Dice's coefficient of the pairs of neighbouring characters in two texts, from 0 to 1. */
export function similarity(one: PairedText, other: PairedText): number {
  const total = one.size + other.size;
  if (total === 0) return one.text === other.text ? 1 : 0;
  let shared = 0;
  for (const [pair, count] of one.pairs) shared += Math.min(count, other.pairs.get(pair) ?? 0);
  return (2 * shared) / total;
}

interface Wording {
  readonly start: string;
  readonly whole: PairedText;
}

/** Caches wordings, because each scenario is compared with all others. */
const wordings = new WeakMap<ConversationScenario, Wording>();

function wordingOf(scenario: ConversationScenario): Wording {
  const { startingPrompt, conversationPlan } = scenario;
  const wording = wordings.get(scenario) ?? {
    start: plain(startingPrompt),
    whole: pairedText(plain(`${startingPrompt} ${conversationPlan}`)),
  };
  wordings.set(scenario, wording);
  return wording;
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

interface PairedText {
  readonly text: string;
  /** How often each pair of neighbouring characters occurs. */
  readonly pairs: ReadonlyMap<string, number>;
  /** The number of pairs. */
  readonly size: number;
}

/** Counts the pairs of neighbouring characters in a text. */
export function pairedText(text: string): PairedText {
  const pairs = new Map<string, number>();
  const characters = Array.from(text);
  for (let at = 0; at + 1 < characters.length; at++) {
    const pair = `${characters[at]}${characters[at + 1]}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return { text, pairs, size: Math.max(0, characters.length - 1) };
}
