import { count } from '@agent-criteria/viewer/views';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AgentNode, MessageToSend, Resending, SessionDetail, SessionEvent } from '../../api.ts';
import { withPiece } from '../../sessions/event.ts';
import { ask, messageOf, Refused, send } from '../api-client.ts';
import { go } from '../router.ts';
import { LOADING, type Loaded, loaded } from '../store.ts';

/** A message in flight, with the events of its answer so far. */
export interface Turn {
  readonly message: MessageToSend;
  readonly events: readonly SessionEvent[];
}

/** An earlier user message that is being rewritten. */
export interface EditedMessage {
  readonly id: string;
  readonly text: string;
}

export type Conversation = ReturnType<typeof useConversation>;

/** Manages a session, the message in flight, and the actions that are possible. */
export function useConversation(app: string, id: string) {
  const [session, setSession] = useState<Loaded<SessionDetail>>(LOADING);
  const [agent, setAgent] = useState<AgentNode | null>(null);
  const [turn, setTurn] = useState<Turn | null>(null);
  const [problem, setProblem] = useState<string>();
  const [draft, setDraft] = useState('');
  const [edited, setEdited] = useState<EditedMessage | null>(null);
  const [resending, setResending] = useState<{ readonly why: string; readonly facts: Resending } | null>(null);
  const isOpen = useRef(true);
  const place = { app, session: id };
  const detail = session.state === 'there' ? session.value : null;

  const load = () => loaded(() => ask('GET /apps/:app/sessions/:session', place));
  const show = (value: SessionDetail) => setSession({ state: 'there', value });
  /** @returns Whether the agent gave a complete answer. */
  const sendMessage = async (message: MessageToSend, { userId }: Pick<SessionDetail, 'userId'>): Promise<boolean> => {
    setProblem(undefined);
    setTurn({ message, events: [] });
    let hasFailed = false;
    try {
      const { content, stateDelta = null } = message;
      const request = { appName: app, userId, sessionId: id, newMessage: content, stateDelta };
      await streamTurn(request, (event) => {
        hasFailed ||= Boolean(event.errorCode);
        setTurn((now) => (now === null ? now : { ...now, events: withPiece(now.events, event) }));
      });
    } catch (error) {
      hasFailed = true;
      setProblem(messageOf(error));
      // A rejected message never reached the agent, so it can be sent again.
      if (error instanceof Refused && error.status !== 0) setDraft(textOf(message));
    }
    const answer = await load();
    // Updates both together, so that nothing is shown twice.
    setSession(answer);
    setTurn(null);
    return !hasFailed;
  };
  const sendOutbox = async (opened: SessionDetail) => {
    const messages = takeFromOutbox(id);
    for (const [at, message] of messages.entries()) {
      const went = isOpen.current && (await sendMessage(message, opened));
      const left = messages.length - at - (went ? 1 : 0);
      if (went) continue;
      if (left > 1) setProblem(`${count(left - 1, 'message')} after this one ${left === 2 ? 'was' : 'were'} not sent.`);
      return;
    }
  };
  useEffect(() => {
    void load().then(async (answer) => {
      setSession(answer);
      if (answer.state === 'there') await sendOutbox(answer.value);
    });
    // An agent that fails to load reports the failure once it gets a message.
    ask('GET /apps/:app/agent', { app }).then(setAgent, () => setAgent(null));
    return () => {
      isOpen.current = false;
    };
  }, []);
  // Another page has sent a message or this page was reloaded, so nothing streams here.
  const isAnsweredElsewhere = detail?.isBusy === true && turn === null;
  useEffect(() => {
    if (!isAnsweredElsewhere) return;
    const timer = setInterval(() => void load().then(setSession), 1000);
    return () => clearInterval(timer);
  }, [isAnsweredElsewhere]);

  return {
    session,
    detail,
    agent,
    turn,
    problem,
    draft,
    setDraft,
    edited,
    setEdited,
    resending,
    dropResending: () => setResending(null),
    show,
    isBusy: turn !== null || detail?.isBusy === true,
    say(text: string) {
      if (detail === null) return;
      setDraft('');
      void sendMessage({ content: { role: 'user', parts: [{ text }] } }, detail);
    },
    async stop() {
      try {
        const stopped = await ask('POST /apps/:app/sessions/:session/stop', place);
        if (turn === null) show(stopped);
      } catch (error) {
        setProblem(messageOf(error));
      }
    },
    /** Continues from the rewritten message in a new session. */
    async branch(resend: boolean) {
      if (edited === null) return;
      setProblem(undefined);
      try {
        const body = { event: edited.id, text: edited.text, resend };
        const made = await ask('POST /apps/:app/sessions/:session/branch', { ...place, body });
        if (made.session === null) {
          setResending({ why: made.why, facts: made.resending });
          return;
        }
        waiting.set(made.session.id, made.messages);
        go({ view: 'chat', app, session: made.session.id });
      } catch (error) {
        setProblem(messageOf(error));
      }
    },
  };
}

function textOf({ content }: MessageToSend): string {
  return (content.parts ?? []).flatMap(({ text }) => text ?? []).join('\n');
}

/** Messages to send as soon as a session is opened, by session id. */
const waiting = new Map<string, readonly MessageToSend[]>();

/** Takes the messages out, so that reopening the session does not send them again. */
function takeFromOutbox(session: string): readonly MessageToSend[] {
  const messages = waiting.get(session) ?? [];
  waiting.delete(session);
  return messages;
}

/** Sends a message and streams the events of the answer. @throws Refused */
async function streamTurn(request: object, on: (event: SessionEvent) => void): Promise<void> {
  const { body } = await send('POST', '/run_sse', { body: { ...request, streaming: true } });
  if (body === null) return;
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      on(JSON.parse(next.value.data) as SessionEvent);
    }
  } catch {
    throw new Refused(0, 'The answer broke off. Is the studio still running in the terminal?', null);
  }
}
