import { firstOf, type Rule, rulesWith } from './sentence-pattern.ts';

export type Status = 'ON' | 'OFF';

/** Which devices a request is about. */
export type Target =
  | { readonly by: 'id'; readonly ids: readonly string[] }
  /** Those last talked about: "that one" is a `count` of 1, "both" of 2, and "them" says none. */
  | { readonly by: 'mention'; readonly count?: 1 | 2 }
  /** Those of a room, or of the whole home; `many` is false for "the bedroom device", of which there should be one. */
  | { readonly by: 'place'; readonly location?: string; readonly status?: Status; readonly many: boolean };

/** What the user wants. A room or a temperature that is `null` was left out: it is to be found, or asked for. */
export type Request =
  | { readonly kind: 'switch'; readonly status: Status; readonly target: Target }
  | { readonly kind: 'tell status'; readonly target: Target }
  | { readonly kind: 'list'; readonly status?: Status; readonly location?: string }
  | { readonly kind: 'get temperature'; readonly location: string | null }
  | { readonly kind: 'set temperature'; readonly location: string | null; readonly temperature: number | null };

/** Requests are short. Anything longer is not read at all. */
const LONGEST_MESSAGE = 300;

const NOT_IN_ROOM_NAMES = new Set(
  (
    'a an the my this that these those it its them there here all any every both of in at to is are and or not ' +
    'one device devices everything anything on off temperature status degrees yes no never nothing cancel stop'
  ).split(' '),
);

const ofRoom = ({ room, status }: { room: string; status?: Status }): Target => ({
  by: 'place',
  location: room,
  ...(status && { status }),
  many: true,
});
const ofHome = ({ status }: { status?: Status }): Target => ({ by: 'place', ...(status && { status }), many: true });
const theOneOf = ({ room }: { room: string }): Target => ({ by: 'place', location: room, many: false });

const target = rulesWith({
  status: { longest: 1, read: readStatus },
  room: { longest: 4, read: readRoom },
  ids: { longest: 9, read: readIds },
});

const TARGETS: readonly Rule<Target>[] = [
  target('<ids>', ({ ids }) => ({ by: 'id', ids })),

  target('it|this|that', () => ({ by: 'mention', count: 1 })),
  target('this|that|the one|device', () => ({ by: 'mention', count: 1 })),
  target('both devices? of? them|those|these?', () => ({ by: 'mention', count: 2 })),
  target('they|them|these|those', () => ({ by: 'mention' })),
  target('all of them|those|these', () => ({ by: 'mention' })),
  target('these|those devices', () => ({ by: 'mention' })),

  target('<room> device|one', theOneOf),
  target('the|my? device|one in <room>', theOneOf),

  target('all|every|any? <room> devices', ofRoom),
  target('all|every|any? the|my? devices in <room>', ofRoom),
  target('every|any|everything|anything device? in <room>', ofRoom),
  target('all|every|any|everything|anything the|my? device|devices? that|which is|are <status> in <room>', ofRoom),

  target('everything', ofHome),
  target('all|every|any the|my? device|devices', ofHome),
  target('all|every|any|everything|anything the|my? device|devices? that|which is|are <status>', ofHome),
];

const toSwitch = ({ status, target }: { status: Status; target: Target }): Request => ({
  kind: 'switch',
  status,
  target,
});
const toList = ({ status, room }: { status?: Status; room?: string }): Request => ({
  kind: 'list',
  ...(status && { status }),
  ...(room && { location: room }),
});
const toTellStatus = ({ target }: { target: Target }): Request => ({ kind: 'tell status', target });
const toGetTemperature = ({ room = null }: { room?: string | null }): Request => ({
  kind: 'get temperature',
  location: room,
});
const toSetTemperature = ({ room, degrees }: { room?: string; degrees?: number }): Request => ({
  kind: 'set temperature',
  location: room ?? null,
  temperature: degrees ?? null,
});

const request = rulesWith({
  status: { longest: 1, read: readStatus },
  room: { longest: 4, read: readRoom },
  degrees: { longest: 3, read: readDegrees },
  target: { longest: 12, read: readTarget },
});

const REQUESTS: readonly Rule<Request>[] = [
  request('turn|switch <status> <target>', toSwitch),
  request('turn|switch <target> <status>', toSwitch),

  request('which|what devices|device are|is <status>', toList),
  request('which|what devices|device are|is <status> in <room>', toList),
  request('which|what devices|device in <room> are|is <status>', toList),
  request('which|what devices|device are|is in <room>', toList),
  request('which|what devices are there', toList),
  request('which|what devices do i have', toList),
  request('is|are any|anything device|devices? <status>', toList),
  request('list|show|check me|on? all? the|my? devices', toList),
  request('list|show|check me|on? all? the|my? devices in <room>', toList),
  request('list|show|check me|on? all? the|my? devices that|which are <status>', toList),

  request('is|are <target> <status>', toTellStatus),
  request('is|are <target> on or off', toTellStatus),
  request('what is the? status of <target>', toTellStatus),
  request('tell|show|get|check me? the? status of <target>', toTellStatus),

  request('what is the? temperature there?', toGetTemperature),
  request('what is the? temperature in|of <room>', toGetTemperature),
  request('what is <room> temperature', toGetTemperature),
  request('tell|show|get|check me? the? temperature in|of <room>', toGetTemperature),
  request('how warm|hot|cool|cold is it there?', toGetTemperature),
  request('how warm|hot|cool|cold is it? in? <room>', toGetTemperature),

  request('set|change|make|put <room> temperature? to? <degrees>', toSetTemperature),
  request('set|change the? temperature in|of <room> to <degrees>', toSetTemperature),
  request('set|change the? temperature there? to <degrees>', toSetTemperature),
  request('set|change|make|put it to? <degrees>', toSetTemperature),
  request('set|change the? temperature in|of <room>', toSetTemperature),
  request('make <room> warmer|hotter|cooler|colder|comfortable', toSetTemperature),
  request('i want <room> to be warmer|hotter|cooler|colder|comfortable', toSetTemperature),
];

/** What may stand around a request without changing it. */
const OPENINGS = phrases(
  'please, hello, hi, hey, ok, okay, and, then, now, can you, could you, would you, ' +
    'i want to, i need to, i would like to, i want you to',
);
const ENDINGS = phrases('please, thanks, thank you, right now, now, at the moment, for me, then');

/** What a message asks for, or `undefined` when it is no sentence of this grammar. */
export function readRequest(message: string): Request | undefined {
  return firstOf(REQUESTS, wordsOf(message));
}

/** The request with the answer to the agent's question filled in, or `undefined` when the message answers something else. */
export function completeRequest(unfinished: Request, answer: string): Request | undefined {
  const words = wordsOf(answer);
  const room = readRoom(words[0] === 'in' ? words.slice(1) : words);
  switch (unfinished.kind) {
    case 'switch':
    case 'tell status': {
      const target = readTarget(words) ?? (room && theOneOf({ room }));
      return target ? { ...unfinished, target } : undefined;
    }
    case 'set temperature': {
      const temperature = readDegrees(words[0] === 'to' ? words.slice(1) : words);
      if (temperature !== undefined) return { ...unfinished, temperature };
      return room ? { ...unfinished, location: room } : undefined;
    }
    case 'get temperature':
      return room ? { ...unfinished, location: room } : undefined;
    case 'list':
      return undefined;
  }
}

/** Lower-case words and numbers, without the politeness around them. */
function wordsOf(message: string): readonly string[] {
  if (message.length > LONGEST_MESSAGE) return [];
  const text = message
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(what|how|it)'s\b/g, '$1 is')
    .replace(/\bi'd\b/g, 'i would')
    .replace(/\bdevice (?=\d)/g, 'device_');
  const words = text.match(/-?\d+(?:\.\d+)?|[\p{L}\p{M}\p{N}_]+(?:'\p{L}+)?/gu) ?? [];
  return withoutPhrases(words);
}

function withoutPhrases(words: readonly string[]): readonly string[] {
  const opening = OPENINGS.find((phrase) => phrase.every((word, at) => words[at] === word));
  if (opening) return withoutPhrases(words.slice(opening.length));
  const ending = ENDINGS.find((phrase) =>
    phrase.every((word, at) => words[words.length - phrase.length + at] === word),
  );
  if (ending) return withoutPhrases(words.slice(0, -ending.length));
  return words;
}

function phrases(list: string): readonly (readonly string[])[] {
  return list.split(', ').map((phrase) => phrase.split(' '));
}

function readStatus(words: readonly string[]): Status | undefined {
  if (words.length !== 1) return undefined;
  return words[0] === 'on' ? 'ON' : words[0] === 'off' ? 'OFF' : undefined;
}

/** An id is a word with an underscore: device_1. Several may be named: device_1, device_2 and device_3. */
function readIds(words: readonly string[]): readonly string[] | undefined {
  const ids = words.filter((word) => word !== 'and');
  const isList = words[0] !== 'and' && words.at(-1) !== 'and';
  return isList && ids.length > 0 && ids.every((word) => word.includes('_')) ? [...new Set(ids)] : undefined;
}

/** "the living room" is the Living Room, as a sign on its door would say. Whether there is one, the tools know. */
function readRoom(words: readonly string[]): string | undefined {
  const name = words[0] === 'the' || words[0] === 'my' ? words.slice(1) : words;
  const isName = name.length > 0 && name.length <= 3 && name.every(isRoomWord);
  return isName ? name.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') : undefined;
}

function isRoomWord(word: string): boolean {
  return !NOT_IN_ROOM_NAMES.has(word) && !word.includes('_') && /^\p{L}/u.test(word);
}

/** The unit behind the number is not read: the case that fails on purpose shows what comes of that. */
function readDegrees(words: readonly string[]): number | undefined {
  const [number = '', ...unit] = words;
  const isUnit = unit.every((word) => ['degrees', 'degree', 'celsius', 'c', 'fahrenheit', 'f'].includes(word));
  return isUnit && /^-?\d{1,4}(?:\.\d{1,2})?$/.test(number) ? Number(number) : undefined;
}

function readTarget(words: readonly string[]): Target | undefined {
  return firstOf(TARGETS, words);
}
