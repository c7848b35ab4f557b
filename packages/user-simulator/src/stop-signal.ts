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

/** Where a text holds the signal; case does not matter, and neither does white space inside it. */
export interface SignalReading {
  /** The text without any signal, trimmed. */
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
  return { text: [...rest, text.slice(from)].join('').trim(), found: rest.length > 0 };
}

/** At most this much white space between two characters of a signal: none of them is in doubt, and time stays linear. */
const MOST_SPACE = 8;

function patternOf(signal: string): RegExp {
  const characters = [...signal.replace(/\s+/g, '')];
  const escaped = characters.map((character) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(escaped.join(`\\s{0,${MOST_SPACE}}`), 'giu');
}
