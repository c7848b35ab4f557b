import type { Content, Invocation, Json, Span, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { TurnPlace } from '../api.ts';
import { appOf } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import { savedIn } from '../sessions/branch.ts';
import { withoutMetadata } from '../sessions/change-state.ts';
import { type AdkEvent, isMessage, isStateChange } from '../sessions/event.ts';
import { historyOf } from '../sessions/open-live.ts';
import type { Studio } from '../studio.ts';
import type { AdkSpan } from '../traces/adk-span.ts';
import { endingWith, type SourceTurn } from './source-turn.ts';

/** Finds a turn of a session by the user's message. */
export async function turnOfChat(
  studio: Studio,
  of: Extract<TurnPlace, { readonly session: string }>,
): Promise<SourceTurn> {
  const app = appOf(studio, of.app);
  const session = studio.sessions.find(app.name, of.session);
  if (session === undefined) throw refusal(404, `Session not found: ${of.session}. It may have been deleted.`);
  const { events, origin, turn: running } = session;
  const place = events.findIndex((event) => event.id === of.event && isMessage(event));
  const message = events[place];
  if (message === undefined) throw refusal(404, `Message not found: ${of.event}`);
  if (running !== null && place >= running.from) {
    throw refusal(409, 'The agent is still answering this message. Wait for it, or stop it.');
  }
  const state = session.statesBefore.get(of.event);
  if (state === undefined) {
    throw refusal(
      409,
      origin === 'evaluated'
        ? 'This session is a record of an evaluation. Run the turn again from the case in its run.'
        : 'The state before this message is not known, so the turn cannot be run again.',
    );
  }
  const earlier = events.slice(0, place);
  const own = events.slice(place).filter(({ invocationId }) => invocationId === message.invocationId);
  const history = historyOf({ ...session, events: earlier });
  const failure = own.findLast(({ errorCode }) => Boolean(errorCode));
  const original = answered(session, message, own, failure !== undefined);
  const turn = history.length;
  const initial = turn === 0 ? withoutMetadata(state) : session.initialState;
  return {
    of,
    app,
    setId: 'chat',
    evalCase: endingWith(
      {
        evalId: 'turn',
        sessionInput: { appName: app.name, userId: session.userId, state: structuredClone(initial) },
      },
      [...history.map(({ invocation }) => invocation), original],
    ),
    turn,
    original,
    problem: failure === undefined ? null : String(failure.errorMessage || failure.errorCode),
    recorded: recordedTurns(session.spans, [...earlier, ...own]),
    before: { state: withoutMetadata(state), history, artifacts: await savedIn(session, earlier) },
    unknown: null,
    changes: changesIn([...earlier, message]),
    isExpected: false,
    prepared: null,
    variant: undefined,
    notes: [],
  };
}

function answered(
  session: Parameters<typeof historyOf>[0],
  message: AdkEvent,
  own: readonly AdkEvent[],
  hasFailed: boolean,
): Invocation {
  const userContent = Object(message.content) as Content;
  // A turn that failed may hold an answer that was broken off, which nothing should be compared with.
  if (hasFailed) return { userContent };
  const [turn] = historyOf({ ...session, events: [...own] });
  return turn === undefined ? { userContent } : turn.invocation;
}

/** Lists changes of the state by hand, by the position of the message after them. */
function changesIn(events: readonly AdkEvent[]): ReadonlyMap<number, State> {
  const changes = new Map<number, State>();
  let messages = 0;
  for (const event of events) {
    const delta = isObject(event.actions) ? event.actions.stateDelta : undefined;
    const isAsked = isMessage(event);
    // The initial state has what was changed before the first message.
    if (messages > 0 && (isAsked || isStateChange(event)) && isObject(delta) && Object.keys(delta).length > 0) {
      changes.set(messages, { ...changes.get(messages), ...(delta as State) });
    }
    if (isAsked) messages += 1;
  }
  return changes;
}

/** Groups events and spans by turn, as far as they tell of calls to models. */
function recordedTurns(spans: readonly AdkSpan[], events: readonly AdkEvent[]): SourceTurn['recorded'] {
  const turns: { readonly id: unknown; readonly message: AdkEvent; readonly answer: AdkEvent[] }[] = [];
  for (const event of events) {
    if (isMessage(event)) turns.push({ id: event.invocationId, message: event, answer: [] });
    else turns.find(({ id }) => id === event.invocationId)?.answer.push(event);
  }
  return {
    invocations: turns.map(({ message, answer }) => ({
      userContent: Object(message.content) as Content,
      intermediateData: { invocationEvents: answer.map((event) => ({ author: '', ...event })) as never },
    })),
    trace: spans.flatMap((span): Span[] => {
      const { attributes } = span;
      const turn = turns.findIndex(({ id }) => id === attributes['gcp.vertex.agent.invocation_id']);
      if (turn === -1 || attributes['gen_ai.operation.name'] !== 'generate_content') return [];
      const usage: Record<string, Json> = {};
      for (const [name, field] of TOKENS) {
        const { [name]: value } = attributes;
        if (typeof value === 'number') usage[field] = value;
      }
      return [
        {
          id: span.span_id,
          kind: 'model',
          name: String(attributes['gen_ai.request.model'] ?? ''),
          turn,
          startedAt: span.start_time / 1e6,
          ...(Object.keys(usage).length > 0 && { usage }),
        },
      ];
    }),
  };
}

const TOKENS = [
  ['gen_ai.usage.input_tokens', 'promptTokenCount'],
  ['gen_ai.usage.output_tokens', 'candidatesTokenCount'],
] as const;
