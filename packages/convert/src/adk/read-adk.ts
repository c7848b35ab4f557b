import { CriteriaError, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { readSession } from '@agent-criteria/project/editing';
import type { Conversation } from '../conversation.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an ADK session: an object with a list of events. */
export function isAdkSession(value: unknown): value is Fields {
  return isObject(value) && Array.isArray(fieldOf(value, 'events'));
}

/** Whether a value is an event of an ADK session. */
export function isAdkEvent(value: unknown): value is Fields {
  return isObject(value) && typeof value.author === 'string' && typeof fieldOf(value, 'invocation_id') === 'string';
}

/** Returns the id of the session that an event belongs to, or `null` if it does not tell. */
export function sessionOfEvent(event: Fields): string | null {
  const id = fieldOf(event, 'session_id');
  return typeof id === 'string' && id !== '' ? id : null;
}

/** The place of a session in its file. */
export interface SessionPlace {
  readonly file: string;
  readonly line: number;
  readonly where: string;
}

/**
 * Reads an ADK session with everything that it records: steps, token counts, grounding and state.
 * @returns the mistakes in it if it is not a conversation.
 */
export function readAdkSession(
  session: Fields,
  { file, line, where }: SessionPlace,
  onLoss: (what: string, where: string) => void,
): Conversation | readonly Problem[] {
  try {
    const read = readSession(session, file, 'app', { keepBroken: true });
    const { turns, sessionInput, finalState, broken, withoutUser } = read;
    for (let count = 0; count < withoutUser; count++)
      onLoss('invocations without a message of the user, left out', where);
    const times = turns.flatMap(({ creationTimestamp: at }) => (at === undefined ? [] : [at * 1000]));
    const ended = timeOf(fieldOf(session, 'last_update_time')) ?? times.at(-1);
    return {
      id: read.id,
      where,
      turns,
      expected: new Map(),
      sessionInput,
      ...(finalState === null ? {} : { finalState }),
      ...(broken === null ? {} : { error: { code: 'AGENT_FAILED', message: broken } }),
      ...(times[0] === undefined ? {} : { startedAt: times[0] }),
      ...(ended === undefined || times[0] === undefined ? {} : { endedAt: Math.max(ended, times[0]) }),
    };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.map((problem) => ({ ...problem, path: `line ${line}, ${problem.path ?? '$'}` }));
  }
}

/** Converts a time to milliseconds. ADK for TypeScript writes milliseconds; ADK for Python writes seconds. */
function timeOf(time: unknown): number | undefined {
  if (typeof time !== 'number') return undefined;
  return time > 1e11 ? time : time * 1000;
}
