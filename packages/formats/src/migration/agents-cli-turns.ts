import type { Content, Invocation, InvocationEvent } from '../data/model.ts';
import { isObject, type State } from '../json.ts';
import { keyOf } from '../schema/spelling.ts';
import { type Reading, readContent, readList, readState, withDelta } from './agents-cli-reading.ts';
import { explain, fieldAt, itemsAt, type Place, pathOf, take } from './left-out.ts';

export type Turn = Omit<Invocation, 'invocationId'>;

/** A converted conversation. */
export interface Conversation {
  /** The turns before the evaluated one. */
  readonly history: readonly Turn[];
  /** The evaluated turn, or `null` if there is no user message. */
  readonly turn: Turn | null;
  /** The locations of its recorded answer and steps in the dataset. */
  readonly recorded: RecordedPlaces;
  /** The state that recorded events set before that turn. */
  readonly state: State;
}

export interface RecordedPlaces {
  readonly answer: Place | null;
  readonly steps: readonly Place[];
}

const NOTHING: Conversation = { history: [], turn: null, recorded: { answer: null, steps: [] }, state: {} };

/**
 * Reads the conversation of a case. As in agents-cli, the agent answers the user's last message, and the turns before
 * it are history. Unlike there, events may follow it: they are the recorded answer. Messages before the user's first
 * one are left out. (https://github.com/google/agents-cli, eval/cmd_generate.py, split_case_history.)
 */
export function readConversation(reading: Reading, row: Place): Conversation {
  const prompt = fieldAt(row, 'prompt');
  const before = readHistory(reading, fieldAt(row, 'conversationHistory'));
  const recorded = fieldAt(row, 'agentData');
  const turns = fieldAt(recorded, 'turns');
  if (prompt === null && before.length === 0) return ofSteps(reading, recordedSteps(reading, turns));
  if (itemsAt(turns).length > 0) {
    const other = prompt === null ? 'a conversation_history' : 'a prompt';
    explain(turns, `the case also has ${other}, so these turns are left out; agents-cli refuses to run such a case`);
  }
  const asked: readonly Step[] = prompt === null ? [] : [ofMessage(prompt, null, 'user')];
  return ofSteps(reading, [...before, ...asked]);
}

/** A message, or a state change. */
type Step =
  | {
      readonly kind: 'message';
      readonly by: string;
      readonly isUser: boolean;
      readonly content: Place;
      readonly author: Place | null;
    }
  | { readonly kind: 'state'; readonly delta: Place; readonly author: Place | null };

function ofMessage(content: Place, author: Place | null, by: string): Step {
  return { kind: 'message', by, isUser: by === 'user' && !answersCalls(content.value), content, author };
}

/** Whether a message contains tool results, which also have the role `user`. */
function answersCalls(content: unknown): boolean {
  const parts: unknown = isObject(content) ? content.parts : undefined;
  return Array.isArray(parts) && parts.some((part) => isObject(part) && keyOf(part, 'functionResponse') !== undefined);
}

/** Lists the recorded events in order, regardless of their grouping into turns. */
function recordedSteps(reading: Reading, turns: Place | null): readonly Step[] {
  return readList(reading, turns).flatMap((turn, index) => {
    const number = fieldAt(turn, 'turnIndex');
    // The number repeats the order.
    if (number?.value === index) take(number);
    return readList(reading, fieldAt(turn, 'events')).flatMap(stepsOfEvent);
  });
}

function stepsOfEvent(event: Place): readonly Step[] {
  const author = fieldAt(event, 'author');
  const content = fieldAt(event, 'content');
  const delta = fieldAt(event, 'stateDelta') ?? fieldAt(fieldAt(event, 'actions'), 'stateDelta');
  const role = fieldAt(content, 'role')?.value;
  const by = typeof author?.value === 'string' ? author.value : typeof role === 'string' ? role : 'agent';
  return [
    ...(delta === null ? [] : [{ kind: 'state', delta, author } as const]),
    ...(content === null ? [] : [ofMessage(content, author, by)]),
  ];
}

const ROLES = ['user', 'model', 'agent'];

/** Reads messages such as `{ role | author, content }`, whose content may be a string, and turns in ADK's format. */
function readHistory(reading: Reading, list: Place | null): readonly Step[] {
  return readList(reading, list).flatMap((item): readonly Step[] => {
    const [user, answer] = [fieldAt(item, 'userContent'), fieldAt(item, 'finalResponse')];
    if (user !== null || answer !== null) {
      return [
        ...(user === null ? [] : [ofMessage(user, null, 'user')]),
        ...(answer === null ? [] : [ofMessage(answer, null, 'agent')]),
      ];
    }
    const [author, role] = [fieldAt(item, 'author'), fieldAt(item, 'role')];
    const content = fieldAt(item, 'content') ?? (fieldAt(item, 'parts') === null ? null : item);
    if (content === null) return [];
    // The turn's structure implies the role.
    if (role !== null && ROLES.includes(String(role.value))) take(role);
    const by = role?.value === 'user' ? 'user' : (author?.value ?? role?.value ?? 'agent');
    return [ofMessage(content, author, String(by))];
  });
}

/** Authors that do not name a particular agent. */
const UNNAMED = ['agent', 'model', 'assistant'];

function ofSteps(reading: Reading, steps: readonly Step[]): Conversation {
  const last = steps.findLastIndex((step) => step.kind === 'message' && step.isUser);
  const names = steps.flatMap((step) => (step.kind === 'message' ? [step.by] : []));
  const speakers = new Set(names.map((name) => (UNNAMED.includes(name) ? 'agent' : name)));
  for (const other of ['user', 'tool']) speakers.delete(other);
  let state: State = {};
  const turns: { readonly user: Content; readonly events: RecordedEvent[] }[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'state') {
      if (index < last) {
        if (step.author !== null) take(step.author);
        state = withDelta(reading, state, readState(reading, step.delta) as State, pathOf(step.delta));
      } else explain(step.delta, 'the state that the recorded answer left behind is not seeded: it is left out');
    } else if (step.isUser) {
      if (step.author !== null) take(step.author);
      turns.push({ user: readContent(reading, step.content, 'user'), events: [] });
    } else if (turns.length === 0) {
      explain(step.content, 'no message of the user comes before it: it is left out');
    } else {
      turns.at(-1)?.events.push({ ...step, message: readContent(reading, step.content, 'model') });
    }
  }
  const made = turns.map(({ user, events }) => ofEvents(user, events, speakers.size > 1));
  const evaluated = made.at(-1);
  if (evaluated === undefined) return { ...NOTHING, state };
  return { history: made.slice(0, -1).map(({ turn }) => turn), ...evaluated, state };
}

interface RecordedEvent {
  readonly by: string;
  readonly author: Place | null;
  readonly content: Place;
  readonly message: Content;
}

/** Builds a turn. If the last event is text, it is the answer; the other events are steps. */
function ofEvents(
  userContent: Content,
  events: readonly RecordedEvent[],
  hasSeveralAgents: boolean,
): Pick<Conversation, 'recorded'> & { readonly turn: Turn } {
  const last = events.at(-1);
  const final = last !== undefined && isAnswer(last.message) ? last : null;
  const steps = final === null ? events : events.slice(0, -1);
  for (const { author } of steps) if (author !== null) take(author);
  if (final !== null && final.author !== null) {
    // An eval set does not store the author of an answer. With a single agent, nothing is lost.
    if (!hasSeveralAgents) take(final.author);
    else explain(final.author, `an eval set does not say who gave an answer: "${final.by}" is left out`);
  }
  const invocationEvents = steps.map(({ by, message }): InvocationEvent => ({ author: by, content: message }));
  return {
    turn: {
      userContent,
      ...(final === null ? {} : { finalResponse: final.message }),
      ...(events.length === 0 ? {} : { intermediateData: { invocationEvents } }),
    },
    recorded: { answer: final?.content ?? null, steps: steps.map(({ content }) => content) },
  };
}

function isAnswer({ parts }: Content): boolean {
  const isText = parts?.some(({ text, thought }) => typeof text === 'string' && text !== '' && thought !== true);
  return (
    isText === true && parts?.every(({ functionCall, functionResponse }) => !functionCall && !functionResponse) === true
  );
}
