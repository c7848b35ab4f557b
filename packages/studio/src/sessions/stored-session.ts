import type { Json, Part, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { AdkSpan } from '../traces/adk-span.ts';
import type { ChatSession, RunningTurn } from './chat-session.ts';
import { type AdkEvent, STOPPED } from './event.ts';
import { userEvent, withIdentity } from './event-identity.ts';
import { newSession } from './new-session.ts';

const FORMAT = 'agent-criteria studio session 1';

/** A session as its file has it, before masking. */
export function storedSession(session: ChatSession): object {
  const { id, appName, userId, origin, continues, initialState, state, events, spans, lastUpdateTime } = session;
  const { artifacts, startedOver, messageKeys, turn } = session;
  return {
    format: FORMAT,
    id,
    appName,
    userId,
    origin,
    continues,
    lastUpdateTime,
    initialState,
    state,
    events,
    // Pairs, because event ids come from agents and may be any key.
    statesBefore: [...session.statesBefore],
    spans,
    artifacts,
    startedOver,
    messageKeys,
    ...(turn === null ? {} : { unanswered: unanswered(turn, events.length) }),
  };
}

/** The message of a running turn, which has no event until the agent reports its first one. */
function unanswered({ message, startedAt: at, from }: RunningTurn, events: number): Unanswered {
  const content = events > from ? { role: 'user', parts: [] } : (message as Json);
  return { content, at, from };
}

/** Reads a stored session. A turn that was running then has ended with the studio. @throws Error if it is damaged. */
export function parseStoredSession(text: string): ChatSession {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || value.format !== FORMAT) throw new Error('it is not a session of the studio');
  const field = <T>(name: string, is: (found: unknown) => found is T): T => {
    const found = value[name];
    if (is(found)) return found;
    throw new Error(`its ${name} is damaged`);
  };
  const session = newSession(
    { appName: field('appName', isText), userId: field('userId', isText) },
    {
      id: field('id', isText),
      origin: field('origin', isOrigin),
      continues: field('continues', isTextOrNull) ?? undefined,
      state: field('state', isState),
      initialState: field('initialState', isState),
      events: field('events', isListOf(isEvent)),
      statesBefore: new Map(field('statesBefore', isListOf(isStateBefore))),
      spans: field('spans', isListOf(isSpan)),
      artifacts: field('artifacts', isListOf(isArtifact)),
    },
  );
  session.startedOver.push(...field('startedOver', isListOf(isText)));
  // Files of earlier versions have none.
  if (value.messageKeys !== undefined) session.messageKeys = field('messageKeys', isListOf(isText));
  session.lastUpdateTime = field('lastUpdateTime', isNumber);
  if (value.unanswered !== undefined) endTurn(session, field('unanswered', isUnanswered));
  return session;
}

/** Ends a turn that was running when the file was written. */
function endTurn(session: ChatSession, { content, at, from }: Unanswered): void {
  const { events, state, statesBefore } = session;
  const [first] = events.slice(from);
  const invocationId = String(first?.invocationId ?? `e-${session.id}-${from}`);
  if (first === undefined) {
    const said = userEvent(content as never, { invocationId }, at);
    events.push(said);
    statesBefore.set(String(said.id), structuredClone(state));
  }
  const ended = { author: 'agent', interrupted: true, errorCode: STOPPED, errorMessage: STUDIO_ENDED, timestamp: at };
  events.push(withIdentity(ended, invocationId));
}

/** Why a turn that a studio left unfinished has no answer. */
export const STUDIO_ENDED = 'The studio ended before the agent had answered.';

interface Unanswered {
  readonly content: Json;
  readonly at: number;
  readonly from: number;
}

function isUnanswered(value: unknown): value is Unanswered {
  return isObject(value) && isObject(value.content) && isNumber(value.at) && isNumber(value.from);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isOrigin(value: unknown): value is 'chat' | 'imported' {
  return value === 'chat' || value === 'imported';
}

function isState(value: unknown): value is State {
  return isObject(value);
}

function isEvent(value: unknown): value is AdkEvent {
  return isObject(value) && isText(value.id);
}

function isStateBefore(value: unknown): value is [string, State] {
  return Array.isArray(value) && value.length === 2 && isText(value[0]) && isState(value[1]);
}

function isSpan(value: unknown): value is AdkSpan {
  return isObject(value) && isText(value.name) && isText(value.span_id) && isObject(value.attributes);
}

function isArtifact(value: unknown): value is { name: string; versions: Part[] } {
  return isObject(value) && isText(value.name) && Array.isArray(value.versions) && value.versions.every(isObject);
}

function isListOf<T>(is: (value: unknown) => value is T): (value: unknown) => value is T[] {
  return (value): value is T[] => Array.isArray(value) && value.every(is);
}
