import * as z from 'zod/mini';

/** What a simulated user writes to end a conversation where it answers in plain text, and what ADK's templates name. */
export const DEFAULT_STOP_SIGNAL = '</finished>';

/** The option of simulator and criterion. `undefined` where nothing is written, so that the other one's word can stand. */
export const stopSignalSchema: z.ZodMiniOptional<z.ZodMiniString> = z.optional(
  z
    .string()
    .check(
      z.regex(/\S/, 'a stop signal needs a letter or a mark'),
      z.maxLength(100, 'a stop signal is a word, not a text'),
    ),
);

/** For editors and forms. */
export const stopSignalDescription =
  'What ends a conversation in the text of a simulated user. Absent: </finished>. Simulator and criterion must agree.';

/**
 * Where a text holds the signal. Case does not matter, nor does white space around the marks in it. A signal that begins or
 * ends with a letter is a word of its own: "END" is not in "send", and "DONE" not in "do need".
 */
export interface SignalReading {
  /** The text without any signal, and without what only dressed it, trimmed. */
  readonly text: string;
  readonly found: boolean;
}

/** Looks for the stop signal. Linear in the text. */
export function readStopSignal(text: string, signal: string): SignalReading {
  const pattern = patternOf(signal);
  const rest: string[] = [];
  let from = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) {
    rest.push(text.slice(from, index));
    from = index + match.length;
  }
  if (rest.length === 0) return { text: text.trim(), found: false };
  return { text: undressed([...rest, text.slice(from)]), found: true };
}

/** What is left around signals. Models write them as code or in bold: such marks on both sides go with the signal. */
function undressed(pieces: readonly string[]): string {
  const left = [...pieces];
  for (let at = 1; at < left.length; at++) {
    const [before, after] = [left[at - 1] ?? '', left[at] ?? ''];
    const [dress = ''] = /(?:\*{1,3}|_{1,3}|`{1,3}|["'])$/.exec(before.slice(-LONGEST_DRESS)) ?? [];
    if (dress === '' || !after.startsWith(dress)) continue;
    left[at - 1] = before.slice(0, -dress.length);
    left[at] = after.slice(dress.length);
  }
  return left.join('').trim();
}

const LONGEST_DRESS = 3;
/** At most this much white space between two characters of a signal: none of them is in doubt, and time stays linear. */
const MOST_SPACE = 8;
/** Of scripts that part words by spaces. */
const LETTER = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}]';
const isLetter = new RegExp(`^${LETTER}$`, 'u');

function patternOf(signal: string): RegExp {
  let pattern = '';
  let previous = '';
  let spaced = false;
  for (const character of signal.trim()) {
    if (/\s/.test(character)) {
      spaced = true;
      continue;
    }
    const isInWord = isLetter.test(previous) && isLetter.test(character);
    if (previous === '') pattern += isLetter.test(character) ? `(?<!${LETTER})` : '';
    else if (!isInWord) pattern += `\\s{0,${MOST_SPACE}}`;
    else if (spaced) pattern += `\\s{1,${MOST_SPACE}}`;
    pattern += character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
    previous = character;
    spaced = false;
  }
  return new RegExp(isLetter.test(previous) ? `${pattern}(?!${LETTER})` : pattern, 'giu');
}
