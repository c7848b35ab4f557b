import { type Agent, type Content, CriteriaError, type Part, toolCalls } from '@agent-criteria/core';
import type { Branch, BranchRequest, MessageToSend, NeedsResending, Resending } from '../api.ts';
import { refusal } from '../http/refusal.ts';
import type { AdkSpan } from '../traces/adk-span.ts';
import { artifactsOf, loadArtifact } from './artifacts.ts';
import type { ChatSession } from './chat-session.ts';
import { type AdkEvent, isMessage, newestArtifacts, partsOf } from './event.ts';
import { historyOf, openLive } from './open-live.ts';
import type { SessionStore } from './session-store.ts';

/** A session that continues from a message in another one, and the messages to send to it. */
export interface NewBranch {
  readonly session: ChatSession;
  readonly messages: Branch['messages'];
}

/**
 * Starts a session with the history before a message, so that a different message can be sent instead. The original
 * session is not changed.
 *
 * If the agent cannot continue from a history, its messages have to be resent, which costs money and may repeat
 * actions. This happens only with `resend`.
 *
 * @throws A refusal with status 404 for an unknown message, or 409 if the state before it is unknown.
 */
export async function branchOf(
  sessions: SessionStore,
  from: ChatSession,
  agent: Agent,
  { event: eventId, text, resend = false }: BranchRequest,
): Promise<NewBranch | NeedsResending> {
  const place = from.events.findIndex((event) => event.id === eventId && isMessage(event));
  const event = from.events[place];
  if (event === undefined) throw refusal(404, `Message not found: ${eventId}`);
  const state = from.statesBefore.get(eventId);
  if (state === undefined) {
    throw refusal(409, 'The state before this message is not known, so the conversation cannot go on from here.');
  }
  const { appName, userId, id } = from;
  const owner = { appName, userId };
  const message = { content: withText(event, text) };
  const events = from.events.slice(0, place);
  const earlier = events.filter(isMessage);
  const begin = { id: undefined, continues: id };
  if (earlier.length === 0) {
    return { session: sessions.create(owner, { ...begin, state, events: [] }), messages: [message] };
  }
  let why = `The agent "${agent.name}" cannot go on from an earlier conversation.`;
  if (agent.supportsHistory === true) {
    const session = sessions.create(owner, {
      ...begin,
      state,
      events,
      initialState: from.initialState,
      spans: spansOf(from, events),
      artifacts: await savedIn(from, events),
      statesBefore: new Map([...from.statesBefore].filter(([known]) => events.some((one) => one.id === known))),
    });
    try {
      // Opened right away, so that failures are noticed before a branch is returned.
      await openLive(session, agent);
      return { session, messages: [message] };
    } catch (error) {
      await sessions.remove(owner, session.id);
      if (!CriteriaError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
      why = error.message;
    }
  }
  if (!resend) return { session: null, why, resending: resendingOf(from, events) };
  const session = sessions.create(owner, { ...begin, state: from.initialState, events: [] });
  return { session, messages: [...earlier.map(asItWas), message] };
}

/** Replaces the text of a message, leaving other parts, such as images, unchanged. */
function withText(event: AdkEvent, text: string): Content {
  const others = partsOf(event).filter((part) => typeof Object(part).text !== 'string');
  return { role: 'user', parts: [{ text }, ...others.map((part) => Object(part) as object)] };
}

function asItWas({ content, actions }: AdkEvent): MessageToSend {
  const { stateDelta } = Object(actions) as { readonly stateDelta?: MessageToSend['stateDelta'] };
  const changed = Object.keys(stateDelta ?? {}).length > 0;
  return { content: Object(content) as Content, ...(changed ? { stateDelta } : {}) };
}

function spansOf({ spans }: ChatSession, events: readonly AdkEvent[]): readonly AdkSpan[] {
  const kept = new Set(events.map(({ invocationId }) => invocationId));
  return spans.filter(({ attributes }) => kept.has(attributes['gcp.vertex.agent.invocation_id'] ?? ''));
}

/** Returns the versions of artifacts that these events mention. */
export async function savedIn(session: ChatSession, events: readonly AdkEvent[]): Promise<ChatSession['artifacts']> {
  const saved: { name: string; versions: Part[] }[] = [];
  const listed = await artifactsOf(session);
  for (const [name, newest] of newestArtifacts(events)) {
    const found = listed.find((one) => one.name === name)?.versions ?? [];
    const versions: Part[] = [];
    for (const version of found.filter((one) => one <= Number(newest))) {
      const part = await loadArtifact(session, name, version);
      if (part !== null) versions.push(part);
    }
    saved.push({ name, versions });
  }
  return saved;
}

/** Sums up what the earlier messages cost when they were first sent. */
function resendingOf(from: ChatSession, events: readonly AdkEvent[]): Resending {
  const spans = spansOf(from, events);
  const models = spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'generate_content');
  const tokens = models.reduce((sum, { attributes }) => {
    const [input, output] = [attributes['gen_ai.usage.input_tokens'], attributes['gen_ai.usage.output_tokens']];
    return sum + Number(input ?? 0) + Number(output ?? 0);
  }, 0);
  const tools = new Map<string, number>();
  for (const { invocation } of historyOf({ ...from, events: [...events] })) {
    for (const { name } of toolCalls(invocation)) tools.set(name ?? '', (tools.get(name ?? '') ?? 0) + 1);
  }
  return {
    messages: events.filter(isMessage).length,
    modelCalls: models.length === 0 ? null : models.length,
    tokens: tokens === 0 ? null : tokens,
    tools: [...tools].map(([name, calls]) => ({ name, calls })),
  };
}
