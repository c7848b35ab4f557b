import { createRandom, type Random } from './random.ts';

/** A tool call with nested arguments: three levels, including lists. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A message in agentevals' format, which is OpenAI's, with the arguments as JSON text. */
export type Message =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: ToolCallText[] }
  | { role: 'tool'; content: string; tool_call_id: string };

interface ToolCallText {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Actual and expected calls, in both shapes. The two sides share no objects. */
export interface Trajectory {
  readonly actual: readonly ToolCall[];
  readonly expected: readonly ToolCall[];
  readonly actualMessages: Message[];
  readonly expectedMessages: Message[];
}

/** How the actual calls differ from the expected ones. */
export interface Change {
  readonly shuffled?: boolean;
  /** The number of unexpected calls, as a share of the expected ones. */
  readonly extra?: number;
  /** Whether the last call has different arguments. */
  readonly wrongLast?: boolean;
}

export function makeTrajectory(seed: number, calls: number, change: Change): Trajectory {
  const random = createRandom(seed);
  const expected = asRead(Array.from({ length: calls }, (_, index) => makeCall(random, index)));
  let actual = [...expected];
  for (let index = 0; index < calls * (change.extra ?? 0); index += 1) {
    actual.splice(random.below(actual.length + 1), 0, makeCall(random, calls + index));
  }
  if (change.shuffled === true) actual = random.shuffled(actual);
  if (change.wrongLast === true) actual.push({ ...actual.pop()!, args: makeCall(random, -1).args });
  return {
    actual: asRead(actual),
    expected,
    actualMessages: messagesOf(actual),
    expectedMessages: messagesOf(expected),
  };
}

/** Copies the calls, because calls from files and models are separate objects. */
function asRead(calls: readonly ToolCall[]): ToolCall[] {
  return JSON.parse(JSON.stringify(calls));
}

const cities = 'Lisbon Porto Vienna Graz Oslo Bergen Turin Milan Lyon Nice'.split(' ');
const tools = 'book_hotel search_hotels book_flight search_flights add_event find_events'.split(' ');

/**
 * Creates a call with three levels and about 130 characters of JSON. Half of the tools get an id by which their calls
 * can be told apart at once; those that search differ only further down.
 */
function makeCall(random: Random, id: number): ToolCall {
  const name = random.pick(tools);
  const price = { most: 100 + random.below(400), currency: 'EUR' };
  if (name.startsWith('book') || name.startsWith('add')) {
    const guests = [{ name: random.pick(cities), age: random.below(90) }, { name: 'Ada' }];
    return { name, args: { offer: `offer-${id}`, guests, payment: { by: 'card', price } } };
  }
  const filter = { from: `2026-0${1 + random.below(9)}-${10 + random.below(18)}`, price, tags: ['quiet', 'breakfast'] };
  return { name, args: { city: random.pick(cities), filter, limit: 10 } };
}

/** Creates one message for each call and one for its response, the fastest shape for agentevals. */
function messagesOf(calls: readonly ToolCall[]): Message[] {
  return [
    { role: 'user', content: 'Please do it.' },
    ...calls.flatMap(({ name, args }, index): Message[] => [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: `call-${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
      },
      { role: 'tool', tool_call_id: `call-${index}`, content: 'done' },
    ]),
    { role: 'assistant', content: 'It is done.' },
  ];
}
