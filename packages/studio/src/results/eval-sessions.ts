import { readFile } from 'node:fs/promises';
import { randomUUID } from '@agent-criteria/calls';
import type { Invocation, Span } from '@agent-criteria/core';
import type { App } from '../apps/app.ts';
import type { ChatSession } from '../sessions/chat-session.ts';
import type { AdkEvent } from '../sessions/event.ts';
import { jsonOf, userEvent, withIdentity } from '../sessions/event-identity.ts';
import { eventsOfInvocation } from '../sessions/events-of-invocation.ts';
import { type NewSession, newSession, type SessionOwner } from '../sessions/new-session.ts';
import { adkSpans } from '../traces/adk-span.ts';
import { newestResultFiles, readResult } from './result-files.ts';

export interface EvaluatedSession {
  readonly id: string;
  readonly invocations: readonly Invocation[];
  readonly trace: readonly Span[];
  readonly state: NewSession['state'];
  readonly agentName: string;
}

/** Converts a conversation from an evaluation to a read-only session, as ADK does. */
export function evalSession(
  owner: SessionOwner,
  { id, invocations, trace, state, agentName }: EvaluatedSession,
): ChatSession {
  const turns = invocations.map((invocation) => turnEvents(invocation, agentName));
  const spans = invocations.flatMap((invocation, turn) => {
    const own = trace.filter((span) => span.turn === turn);
    const time = timeOf(invocation, own);
    return time === null ? [] : adkSpans(id, own, { events: turns[turn] ?? [], agentName, ...time });
  });
  const last = turns.flat().at(-1) as { readonly timestamp?: unknown } | undefined;
  const session = newSession(owner, { id, state, events: turns.flat(), spans, origin: 'evaluated' });
  return { ...session, lastUpdateTime: typeof last?.timestamp === 'number' ? last.timestamp : 0 };
}

/** Returns when a turn started and ended, in milliseconds since the epoch, or `null` if neither it nor its spans say so. */
function timeOf({ creationTimestamp, duration }: Invocation, spans: readonly Span[]) {
  const starts = spans.map(({ startedAt }) => startedAt);
  const ends = spans.map((span) => span.endedAt ?? span.startedAt);
  if (creationTimestamp) {
    starts.push(creationTimestamp * 1000);
    ends.push((creationTimestamp + (duration ?? 0)) * 1000);
  }
  return starts.length === 0 ? null : { startedAt: Math.min(...starts), endedAt: Math.max(...ends) };
}

/** Finds a session in results stored by earlier studios. It belongs to the user of its case, whoever asks for it. */
export async function sessionInResults(app: App, id: string): Promise<ChatSession | null> {
  for (const { file } of await newestResultFiles(app)) {
    // Avoids parsing most files.
    if (!(await readFile(file, 'utf8')).includes(id)) continue;
    const entries = (await readResult(file)).evalCaseResults ?? [];
    const entry = entries.find(({ sessionId }) => sessionId === id);
    if (entry === undefined) continue;
    const invocations = entry.evalMetricResultPerInvocation.map(({ actualInvocation }) => actualInvocation);
    const owner = { appName: app.name, userId: entry.userId ?? 'test_user_id' };
    return evalSession(owner, { id, invocations, trace: [], state: {}, agentName: app.name });
  }
  return null;
}

/** Converts a recorded turn to session events. @param author The agent that answered. */
export function turnEvents(invocation: Invocation, author: string): readonly AdkEvent[] {
  const { userContent, creationTimestamp } = invocation;
  const invocationId = invocation.invocationId || `e-${randomUUID()}`;
  const timestamp = creationTimestamp || 0;
  const said = eventsOfInvocation(invocation, author).map(({ author: by, content }) =>
    withIdentity({ author: by, content: jsonOf(content), timestamp }, invocationId),
  );
  return [userEvent(userContent, { invocationId }, timestamp), ...said];
}
