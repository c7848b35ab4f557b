import { sha256 } from '@agent-criteria/calls';
import { contentText, toolCalls } from '@agent-criteria/core';
import type { Conversation } from '../conversation.ts';

/** Which of the conversations in the files are taken. */
export interface ConversationChoice {
  /** Only conversations with one of these texts in a message, in upper or lower case. Default: all. */
  readonly grep?: readonly string[] | undefined;
  /** Whether to leave out conversations whose user says the same as in an earlier one. Default `false`. */
  readonly unique?: boolean | undefined;
  /** The number to draw at random. Default: all. The sample is held in memory. */
  readonly sample?: number | undefined;
  /** The seed of the sample: the same seed draws the same conversations. Default `"1"`. */
  readonly seed?: string | undefined;
}

/** The number of conversations that were not taken, by the reason. Plain JSON. */
export interface LeftOut {
  readonly filtered: number;
  readonly duplicates: number;
  readonly notSampled: number;
}

export interface ChosenConversations {
  readonly conversations: AsyncIterable<Conversation>;
  leftOut(): LeftOut;
}

/** Chooses among conversations as they arrive. They keep their order. */
export function chooseConversations(
  all: AsyncIterable<Conversation>,
  { grep = [], unique = false, sample, seed = '1' }: ConversationChoice,
): ChosenConversations {
  const texts = grep.map((text) => text.toLowerCase());
  const known = new Set<string>();
  const left = { filtered: 0, duplicates: 0, notSampled: 0 };
  async function* fitting(): AsyncGenerator<Conversation> {
    for await (const one of all) {
      if (texts.length > 0 && !hasText(one, texts)) left.filtered += 1;
      else if (unique && isKnown(one, known)) left.duplicates += 1;
      else yield one;
    }
  }
  async function* sampled(count: number): AsyncGenerator<Conversation> {
    const { drawn, total } = await draw(fitting(), count, seed);
    left.notSampled = total - drawn.length;
    yield* drawn;
  }
  return {
    conversations: sample === undefined ? fitting() : sampled(sample),
    leftOut: () => ({ ...left }),
  };
}

function hasText({ turns }: Conversation, texts: readonly string[]): boolean {
  return turns.some((turn) => {
    const calls = toolCalls(turn).map((call) => JSON.stringify(call));
    const said = [contentText(turn.userContent), contentText(turn.finalResponse), ...calls].join('\n').toLowerCase();
    return texts.some((text) => said.includes(text));
  });
}

/** Whether an earlier conversation has the same messages of the user. */
function isKnown({ turns }: Conversation, known: Set<string>): boolean {
  const said = turns.map(({ userContent }) => userContent.parts ?? []);
  const hash = sha256(JSON.stringify(said)).slice(0, 32);
  if (known.has(hash)) return true;
  known.add(hash);
  return false;
}

interface Drawn {
  readonly one: Conversation;
  readonly at: number;
  readonly rank: string;
}

/** Draws the conversations with the lowest hashes, so that each is as likely as any other, in a single pass. */
async function draw(
  all: AsyncIterable<Conversation>,
  count: number,
  seed: string,
): Promise<{ readonly drawn: readonly Conversation[]; readonly total: number }> {
  let kept: Drawn[] = [];
  let total = 0;
  for await (const one of all) {
    kept.push({ one, at: total, rank: sha256(`${seed} ${total} ${one.id ?? ''}`) });
    total += 1;
    if (kept.length > 2 * count + 1000) kept = lowest(kept, count);
  }
  const drawn = lowest(kept, count).sort((a, b) => a.at - b.at);
  return { drawn: drawn.map(({ one }) => one), total };
}

function lowest(all: readonly Drawn[], count: number): Drawn[] {
  return [...all].sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, count);
}
