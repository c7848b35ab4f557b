import type { SecretMask } from '@agent-criteria/masking';
import { fenced } from './fence.ts';
import { pageOf } from './page.ts';

/** The maximum length of the data in one answer, in characters. */
export const LONGEST = 20_000;

/** The answer of a tool. */
export interface Answer {
  /** Our own words: nothing in them comes from agents, tools, judges or files, except the ids of runs. */
  readonly says: string;
  /** Text from files, agents and judges, in pieces within which a secret is whole. Default: nothing. */
  readonly data?: AsyncIterable<string> | Iterable<string> | undefined;
  /** Our own words after the data, such as what to do next. Default: nothing. */
  readonly advice?: string | undefined;
}

/**
 * Formats an answer: masked, with its data between marks, and of limited length.
 * @param from The position in the data from which to show it.
 */
export async function answerText({ says, data, advice }: Answer, mask: SecretMask, from: number): Promise<string> {
  const after = advice === undefined ? [] : [advice];
  if (data === undefined) return [says, ...after].join('\n\n');
  const { text, next } = await pageOf(masked(data, mask), from, LONGEST);
  if (text === '')
    return [says, from === 0 ? 'Nothing else.' : `There is nothing from position ${from} on.`].join('\n\n');
  const part = from > 0 || next !== null ? [partText(from, text.length, next)] : [];
  return [says, fenced(text), ...part, ...after].join('\n\n');
}

function partText(from: number, length: number, next: number | null): string {
  const shown = `Characters ${from} to ${from + length} are shown.`;
  return next === null
    ? `${shown} This is the end.`
    : `${shown} For the rest, call this tool again with "from": ${next}.`;
}

async function* masked(pieces: AsyncIterable<string> | Iterable<string>, mask: SecretMask): AsyncGenerator<string> {
  for await (const piece of pieces) yield mask.text(piece);
}
