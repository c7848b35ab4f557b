import type { Content, FunctionCall, InvocationEvent } from '../data/model.ts';
import { isObject, type State } from '../json.ts';
import { type Reading, readContent, readList, readState } from './agents-cli-reading.ts';
import type { Conversation, Turn } from './agents-cli-turns.ts';
import { explain, fieldAt, leaveOut, type Place, pathOf, take } from './left-out.ts';

// agents-cli itself only reads `reference`. Its datasets may have other fields; these are the common ones.
const ANSWERS = [
  'reference',
  'referenceFinalResponse',
  'expectedFinalResponse',
  'expectedResponse',
  'expectedAnswer',
  'expectedOutput',
  'finalResponse',
];
const CALLS = [
  'expectedToolUses',
  'expectedToolUse',
  'expectedToolCalls',
  'expectedTools',
  'expectedTrajectory',
  'referenceTrajectory',
];

/** A turn with the expectations of the case. */
export interface ExpectedTurn {
  readonly turn: Turn;
  /** Whether the case states the expected calls; an empty list states that none are expected. */
  readonly statesCalls: boolean;
  /** Tools that are expected with any arguments. */
  readonly withoutArgs: readonly string[];
}

export function withExpectations(
  reading: Reading,
  row: Place,
  recorded: Turn,
  places: Conversation['recorded'],
): ExpectedTurn {
  const listed = fieldAt(row, 'intermediateEvents');
  const steps = readSteps(reading, listed);
  const expected = readCalls(reading, row);
  const answer = readAnswer(reading, row);
  if (answer !== null && places.answer !== null) {
    leaveOut(places.answer, 'the case has an expected answer, so the recorded one is left out');
  }
  const instead = expected !== null ? 'expected calls' : steps !== null ? 'intermediate_events' : null;
  if (instead !== null) {
    for (const place of places.steps) leaveOut(place, `the case has ${instead}, so the recorded steps are left out`);
  }
  if (expected !== null && listed !== null)
    leaveOut(listed, 'the case has expected calls, so these steps are left out');
  const calls = expected === null ? steps && { invocationEvents: steps } : { toolUses: [...expected.calls] };
  const turn: Turn = {
    ...recorded,
    ...(answer === null ? {} : { finalResponse: answer }),
    ...(calls === null ? {} : { intermediateData: calls }),
  };
  return { turn, statesCalls: (turn.intermediateData ?? null) !== null, withoutArgs: expected?.withoutArgs ?? [] };
}

function readSteps(reading: Reading, list: Place | null): InvocationEvent[] | null {
  const steps = readList(reading, list).flatMap((event): readonly InvocationEvent[] => {
    const [author, content] = [fieldAt(event, 'author'), fieldAt(event, 'content')];
    if (content === null) return [];
    const by = typeof author?.value === 'string' ? String(take(author)) : 'agent';
    return [{ author: by, content: readContent(reading, content, 'model') }];
  });
  // agents-cli writes an empty list if it recorded nothing.
  return steps.length === 0 ? null : steps;
}

function readAnswer(reading: Reading, row: Place): Content | null {
  for (const name of ANSWERS) {
    const written = fieldAt(row, name);
    const found = fieldAt(written, 'response') ?? written;
    if (found === null) continue;
    const isMessage = typeof found.value === 'string' || found !== written || fieldAt(found, 'parts') !== null;
    if (isMessage) return readContent(reading, found, 'model');
  }
  return null;
}

interface ExpectedCalls {
  readonly calls: readonly FunctionCall[];
  readonly withoutArgs: readonly string[];
}

function readCalls(reading: Reading, row: Place): ExpectedCalls | null {
  const list = CALLS.map((name) => fieldAt(row, name)).find((place) => place !== null);
  if (list === undefined) return null;
  const calls = readList(reading, list).flatMap((item) => readCall(reading, item) ?? []);
  const named = calls.flatMap(({ name }) => name ?? []);
  const stated = new Set(calls.flatMap(({ name, args }) => (args ? (name ?? []) : [])));
  const withoutArgs = [...new Set(named)].filter((name) => !stated.has(name));
  for (const { name, args } of calls) {
    if (args || !stated.has(name ?? '')) continue;
    reading.warnings.add(
      'INVALID_DATA',
      pathOf(list),
      () => `"${name}" is listed with and without arguments: without, it expects none`,
    );
  }
  return { calls, withoutArgs };
}

/** Reads a call in ADK's format or the legacy one, or just a tool name. */
function readCall(reading: Reading, item: Place): FunctionCall | null {
  if (typeof item.value === 'string') return { name: take(item) as string };
  const name = ['name', 'toolName', 'tool', 'function']
    .map((key) => fieldAt(item, key))
    .find((place) => place !== null);
  if (!name || typeof name.value !== 'string') {
    explain(item, 'an expected call needs the name of its tool, as {"name", "args"}: it is left out');
    return null;
  }
  take(name);
  const id = fieldAt(item, 'id');
  const args = ['args', 'toolInput', 'arguments', 'input', 'parameters']
    .map((key) => fieldAt(item, key))
    .find((place) => place !== null);
  if (args && !isObject(args.value))
    explain(args, 'the arguments of an expected call must be an object: they are left out');
  return {
    ...(id !== null && typeof id.value === 'string' ? { id: take(id) as string } : {}),
    name: name.value,
    ...(args && isObject(args.value) ? { args: readState(reading, args) as State as Record<string, never> } : {}),
  };
}
