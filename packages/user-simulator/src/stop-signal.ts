/**
 * The signal with which a simulated user ends a conversation if it answers in plain text. ADK's templates refer to it.
 */
export const DEFAULT_STOP_SIGNAL = '</finished>';

/** The option of the criterion, as JSON Schema. If it is not set, the simulator's signal applies. */
export const stopSignalProperty = {
  description:
    'The text with which a simulated user ends a conversation. Default: </finished>. Simulator and criterion must agree.',
  type: 'string',
  pattern: '\\S',
  'x-messages': {
    pattern: 'a stop signal must not be blank',
    maxLength: 'a stop signal must have at most 100 characters',
  },
} as const;

/**
 * The result of searching for the signal. The search ignores case and white space around the signal's punctuation. A
 * signal that begins or ends with a letter must be a separate word: "END" is not in "send", and "DONE" is not in "do
 * need".
 */
export interface SignalReading {
  /** The text without signals and the formatting around them, trimmed. */
  readonly text: string;
  readonly found: boolean;
}

/** Finds and removes the stop signal, in linear time. */
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

/**
 * Joins the texts around the signals. Models may write signals as code or in bold, so matching marks on both sides are
 * removed with them.
 */
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
/** The maximum white space between two characters of a signal, so that matching stays unambiguous and linear. */
const MOST_SPACE = 8;
/** The letters of scripts that separate words with spaces. */
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
