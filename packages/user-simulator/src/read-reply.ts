import type { ModelAnswer } from '@agent-criteria/core';
import { readAnswer, readText } from '@agent-criteria/judge/texts';
import { readStopSignal } from './stop-signal.ts';

/** The next step of the user, as written by the model. */
export interface Reply {
  /** The message, never empty, or `null` if the conversation ends without one. */
  readonly message: string | null;
  readonly ends: boolean;
  /** The model's reason. */
  readonly reason?: string;
}

/** A reply read from an answer, or the reason why it is unusable. */
export type ReplyReading = Reply | { readonly problem: string };

export interface ReplyContext {
  readonly stopSignal: string;
  /** The texts shown to the model. An object that overlaps with them is not the model's own answer. */
  readonly shown: readonly string[];
  /** The texts of the agent and its tools, as shown to the model. */
  readonly history: string;
}

/** The maximum length. Real messages are shorter. */
const LONGEST_MESSAGE = 100_000;

/**
 * Reads the next step of a user: the requested object, or else plain text with a stop signal, as ADK's simulators write
 * it. If the agent itself has written the signal, a message that contains it may be a quotation: in that case, the
 * conversation ends only by `done`, or by plain text that consists of nothing but the signal.
 */
export function readReply(answer: ModelAnswer, context: ReplyContext): ReplyReading {
  const answered = readText(answer);
  if ('problem' in answered) return answered;
  const { text } = answered;
  if (!isVisible(text)) return { problem: 'the answer was empty' };
  const quoting = readStopSignal(context.history, context.stopSignal).found;
  const reading = readAnswer(text, readObject, context.shown, ({ done }) => done);
  if ('value' in reading) return fromObject(reading.value, context.stopSignal, quoting);
  if (isAttempt(text, context.history)) return { problem: reading.problem };
  return fromText(text, context.stopSignal, quoting);
}

interface Answered {
  readonly message: string;
  readonly done: boolean;
  readonly reason: string;
}

/** Reads a reply. Models may omit empty fields, and write booleans as strings. */
function readObject(value: unknown): Answered | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = (key: string): unknown => (Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined);
  const message = own('message') ?? '';
  const done = String(own('done')).toLowerCase();
  if (typeof message !== 'string' || (done !== 'true' && done !== 'false')) return undefined;
  const reason = own('reason');
  return { message, done: done === 'true', reason: typeof reason === 'string' ? reason.trim() : '' };
}

function fromObject({ message, done, reason }: Answered, stopSignal: string, quoting: boolean): ReplyReading {
  const signal = readStopSignal(message, stopSignal);
  const ends = done || (signal.found && !quoting);
  return reply(signal.found && !quoting ? signal.text : message, ends, reason);
}

function fromText(text: string, stopSignal: string, quoting: boolean): ReplyReading {
  const signal = readStopSignal(text, stopSignal);
  const ends = signal.found && (!quoting || signal.text === '');
  return reply(ends ? signal.text : text, ends, '');
}

function reply(message: string, ends: boolean, reason: string): ReplyReading {
  if (!ends && !isVisible(message)) return { problem: 'the message was empty' };
  if (message.length > LONGEST_MESSAGE) return { problem: `the message was longer than ${LONGEST_MESSAGE} characters` };
  return { message: isVisible(message) ? message : null, ends, ...(reason === '' ? {} : { reason }) };
}

/** Tells whether a text has a visible character, as every message must. */
function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}]/u.test(text);
}

const ANSWER_KEY = /"(?:message|done)"\s{0,100}:/;

/** Tells whether an answer was meant to be an object, rather than plain text about one that the agent wrote. */
function isAttempt(text: string, history: string): boolean {
  return /^\s*(?:\{|\[\s*\{|```)/.test(text) || (ANSWER_KEY.test(text) && !ANSWER_KEY.test(history));
}
