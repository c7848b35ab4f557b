import type { TurnAnswerKey } from '../api.ts';
import { appOf } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import { turnEvents } from '../results/eval-sessions.ts';
import type { ChatSession } from '../sessions/chat-session.ts';
import { isMessage } from '../sessions/event.ts';
import type { Studio } from '../studio.ts';
import { adkSpans } from '../traces/adk-span.ts';
import { caseOfAnswer } from './turn-run-detail.ts';

/** Makes a session of an answer and the conversation before it, which can be continued like any other. */
export async function sessionOfAnswer(studio: Studio, id: string, key: TurnAnswerKey): Promise<ChatSession> {
  const { kept, one } = await caseOfAnswer(studio, id, key);
  const agent = kept.agents.find(({ variant }) => variant === key.variant);
  if (agent === undefined || agent.app === null) {
    throw refusal(409, `The agent "${agent?.name ?? key.variant}" is not one of this studio, so it has no chat.`);
  }
  const app = appOf(studio, agent.app);
  const recorded = one.inferences.find((each) => each.key.repeat === key.repeat);
  const inference = recorded?.inference;
  if (inference === undefined || inference.invocations.length <= kept.turn) {
    throw refusal(409, 'The agent gave no answer here, so there is nothing to open.');
  }
  const { invocations, trace = [], state, history } = inference;
  const sessionId = `turn-${id}-${key.variant ?? 'agent'}-${key.repeat + 1}`;
  const owner = { appName: app.name, userId: one.evalCase.sessionInput?.userId || 'user' };
  const known = studio.sessions.list(owner).find((session) => session.id === sessionId);
  if (known !== undefined) return known;
  const turns = invocations.map((invocation) => turnEvents(invocation, app.name));
  const events = turns.flat();
  const spans = turns.flatMap((own, turn) => {
    const ofTurn = trace.filter((span) => span.turn === turn);
    if (ofTurn.length === 0) return [];
    const startedAt = Math.min(...ofTurn.map((span) => span.startedAt));
    const endedAt = Math.max(...ofTurn.map((span) => span.endedAt ?? span.startedAt));
    return adkSpans(sessionId, ofTurn, { events: own, agentName: app.name, startedAt, endedAt });
  });
  // The state is known where the agent's session began: before the turn, or before all of them.
  const began = (history === 'given' ? turns[kept.turn] : turns[0])?.find(isMessage);
  const initial = one.evalCase.sessionInput?.state ?? {};
  return studio.sessions.create(owner, {
    id: sessionId,
    continues: 'session' in kept.of && kept.of.app === app.name ? kept.of.session : undefined,
    state: state.final ?? state.initial ?? initial,
    initialState: history === 'given' ? initial : (state.initial ?? initial),
    events,
    spans,
    statesBefore: new Map(began === undefined ? [] : [[String(began.id), state.initial ?? initial]]),
  });
}
