import { count } from '@agent-criteria/viewer/views';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AgentDetail, MessageToSend, Resending, SessionDetail, SessionEvent } from '../../api.ts';
import { withPiece } from '../../sessions/event.ts';
import { bytesOf, filesIn } from '../../sessions/message-files.ts';
import { ask, messageOf as problemOf, Refused } from '../api-client.ts';
import { connection } from '../connection.ts';
import { LOADING, type Loaded, loaded } from '../store.ts';
import { useReturn } from '../use-return.ts';
import { followTurn } from './follow-turn.ts';
import { goToOpened, takeOpened } from './just-opened.ts';
import { type MessageFile, messageFiles, messageOf } from './message-file.ts';
import { keepQueuedMessages, type QueuedMessage, queuedMessages } from './message-queue.ts';
import { keepUnsentFiles, unsentFiles } from './unsent-files.ts';
import { keepUnsentText, unsentText } from './unsent-text.ts';
import { whyNoFiles } from './why-no-files.ts';

/** A message in flight, with the events of its answer so far. */
export interface Turn {
  readonly message: MessageToSend;
  readonly events: readonly SessionEvent[];
  /** When it was sent from here, in milliseconds since the epoch, or `null` if it was sent from elsewhere. */
  readonly askedAt: number | null;
}

/** An earlier user message that is being rewritten. */
export interface EditedMessage {
  readonly id: string;
  readonly text: string;
}

export type Conversation = ReturnType<typeof useConversation>;

/** Manages a session, the message in flight, and the actions that are possible. */
export function useConversation(app: string, id: string) {
  const [opened] = useState(() => takeOpened(id));
  const [session, setSession] = useState<Loaded<SessionDetail>>(
    opened === null ? LOADING : { state: 'there', value: opened.detail },
  );
  const [agent, setAgent] = useState<AgentDetail | null>(null);
  const [turn, setTurn] = useState<Turn | null>(null);
  const [problem, setProblem] = useState<string>();
  const [draft, changeDraft] = useState(() => unsentText(app, id));
  const [files, changeFiles] = useState(() => opened?.files ?? unsentFiles(app, id));
  const [areFilesKept, setFilesKept] = useState(() => opened === null || keepUnsentFiles(app, id, opened.files));
  const [queue, changeQueue] = useState(() => queuedMessages(app, id));
  const [isQueueKept, setQueueKept] = useState(true);
  const [edited, setEdited] = useState<EditedMessage | null>(null);
  const [resending, setResending] = useState<{ readonly why: string; readonly facts: Resending } | null>(null);
  const page = useRef(new AbortController());
  const isFollowed = useRef(false);
  const latestFiles = useRef(files);
  const latestQueue = useRef(queue);
  const place = { app, session: id };
  const detail = session.state === 'there' ? session.value : null;

  const setDraft = (text: string) => {
    keepUnsentText(app, id, text);
    changeDraft(text);
  };
  const setFiles = (attached: readonly MessageFile[]) => {
    setFilesKept(keepUnsentFiles(app, id, attached));
    changeFiles(attached);
    latestFiles.current = attached;
  };
  /** Puts a message that was not sent before what was written since. */
  const writeAgain = ({ content }: MessageToSend) => {
    setDraft([textOf(content), unsentText(app, id)].filter((text) => text !== '').join('\n'));
    setFiles([...messageFiles(content), ...latestFiles.current]);
  };
  const setQueue = (messages: readonly QueuedMessage[]) => {
    setQueueKept(keepQueuedMessages(app, id, messages));
    changeQueue(messages);
    latestQueue.current = messages;
  };
  const show = (value: SessionDetail) => setSession({ state: 'there', value });
  /** Reports an error, except that the connection is lost, which the whole page says. */
  const complain = (error: unknown) => {
    if (!(error instanceof Refused && error.status === 0)) setProblem(problemOf(error));
  };
  /** Loads the session in place of what is shown, which stays if the studio does not answer. */
  const refresh = async (): Promise<SessionDetail | null> => {
    const answer = await loaded(() => ask('GET /apps/:app/sessions/:session', place));
    if (answer.state === 'failed' && connection.value !== 'there') return null;
    // Updates both together, so that nothing is shown twice.
    setSession(answer);
    setTurn(null);
    return answer.state === 'there' ? answer.value : null;
  };
  /** Shows the turn in flight until it has ended. @returns Whether the agent gave a complete answer. */
  const follow = async (): Promise<boolean> => {
    const { signal } = page.current;
    isFollowed.current = true;
    let asked: MessageToSend | null = null;
    try {
      const why = await followTurn(
        { ...place, signal },
        {
          message(content) {
            asked = { content };
            const message = asked;
            setTurn((now) => ({ message, events: [], askedAt: now?.askedAt ?? null }));
          },
          event: (event) => setTurn((now) => (now === null ? now : { ...now, events: withPiece(now.events, event) })),
        },
      );
      if (why !== null) {
        setProblem(why);
        if (asked !== null) writeAgain(asked);
      }
    } catch (error) {
      if (signal.aborted) return false;
      complain(error);
    } finally {
      isFollowed.current = false;
    }
    const answer = await refresh();
    return answer !== null && !answer.events.at(-1)?.errorCode;
  };
  /** @returns Whether the agent gave a complete answer. */
  const sendMessage = async (given: MessageToSend): Promise<boolean> => {
    const message = { ...given, key: given.key ?? crypto.randomUUID() };
    setProblem(undefined);
    setTurn({ message, events: [], askedAt: Date.now() });
    isFollowed.current = true;
    try {
      await ask('POST /apps/:app/sessions/:session/turns', { ...place, body: message });
    } catch (error) {
      isFollowed.current = false;
      complain(error);
      if (error instanceof Refused && error.status === 0) {
        // It may have arrived before the connection was lost: with its key, it is not sent to the agent twice.
        const { key, content } = message;
        setQueue([{ key, text: textOf(content), files: messageFiles(content) }, ...latestQueue.current]);
      } else {
        // The message has not reached the agent, so it can be changed and sent again.
        writeAgain(message);
      }
      setTurn(null);
      await refresh();
      return false;
    }
    return follow();
  };
  const sendEach = async (messages: readonly MessageToSend[]) => {
    for (const [at, message] of messages.entries()) {
      const went = !page.current.signal.aborted && (await sendMessage(message));
      const left = messages.length - at - (went ? 1 : 0);
      if (went) continue;
      if (left > 1) setProblem(`${count(left - 1, 'message')} after this one ${left === 2 ? 'was' : 'were'} not sent.`);
      return;
    }
  };
  useEffect(() => {
    void (opened === null ? refresh() : sendEach(opened.messages));
    // An agent that fails to load reports the failure once it gets a message.
    ask('GET /apps/:app/agent', { app }).then(setAgent, () => setAgent(null));
    return () => page.current.abort();
  }, []);
  // A turn belongs to the studio: it may have been started by another page, or by this one before it was reloaded.
  useEffect(() => {
    if (detail?.isBusy === true && !isFollowed.current) void follow();
  }, [detail]);
  const earlierBytes = useMemo(
    () =>
      (detail?.events ?? [])
        .flatMap(({ content }) => filesIn(content as MessageToSend['content']))
        .reduce((sum, { data }) => sum + bytesOf(data), 0),
    [detail],
  );
  const isBusy = turn !== null || detail?.isBusy === true;
  // Sends the messages written while the studio was gone, one after the other.
  useEffect(() => {
    const [next, ...later] = queue;
    if (next === undefined || connection.value !== 'there' || detail === null || isBusy || isFollowed.current) return;
    setQueue(later);
    void sendMessage({ content: messageOf(next.text, next.files), key: next.key });
  }, [queue, detail, isBusy, connection.value]);
  useReturn(() => {
    setProblem(undefined);
    if (!isFollowed.current) void refresh();
  });

  return {
    session,
    detail,
    agent,
    turn,
    problem,
    draft,
    setDraft,
    /** Files that go with the next message. */
    files,
    setFiles,
    /** Whether they outlive a reload of the page. */
    areFilesKept,
    /** The bytes of all files in the conversation. */
    earlierBytes,
    /** Asks whether the agent takes files. @returns Why it does not, or `null`. */
    whyNoFiles: () => whyNoFiles(app, setAgent),
    /** Messages that are sent once the studio is back. */
    queue,
    isQueueKept,
    /** Takes a message out of the queue. */
    withdraw: (key: string) => setQueue(queue.filter((one) => one.key !== key)),
    edited,
    setEdited,
    resending,
    dropResending: () => setResending(null),
    show,
    /** When the agent got its last message, in milliseconds since the epoch, or `null` if it has none yet. */
    askedAt: turn !== null && turn.askedAt !== null ? turn.askedAt : askedAt(detail),
    /** The events before those of the turn in flight. */
    earlier: (turn === null ? detail?.events : detail?.events.slice(0, detail.turnFrom ?? undefined)) ?? [],
    isBusy,
    say(text: string, attached: readonly MessageFile[]) {
      if (detail === null) return;
      setDraft('');
      setFiles([]);
      if (connection.value !== 'there' || queue.length > 0) {
        setQueue([...queue, { key: crypto.randomUUID(), text, files: attached }]);
        return;
      }
      void sendMessage({ content: messageOf(text, attached) });
    },
    async stop() {
      try {
        const stopped = await ask('POST /apps/:app/sessions/:session/stop', place);
        if (turn === null) show(stopped);
      } catch (error) {
        complain(error);
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
        goToOpened(app, made.session, { messages: made.messages });
      } catch (error) {
        complain(error);
      }
    },
  };
}

function askedAt(detail: SessionDetail | null): number | null {
  const last = detail?.events.findLast(({ author }) => author === 'user');
  return typeof last?.timestamp === 'number' ? last.timestamp * 1000 : null;
}

function textOf(content: MessageToSend['content']): string {
  return (content.parts ?? []).flatMap(({ text }) => text ?? []).join('\n');
}
