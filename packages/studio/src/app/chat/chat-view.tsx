import {
  CopyButton,
  count,
  JsonTree,
  TranscriptSearch,
  useKeys,
  usePhone,
  visible,
} from '@agent-criteria/viewer/views';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  AgentNode,
  Branch,
  MessageToSend,
  NeedsResending,
  Resending,
  SessionDetail,
  SessionEvent,
} from '../../api.ts';
import { newestArtifacts } from '../../sessions/newest-artifacts.ts';
import { withPiece } from '../../sessions/with-piece.ts';
import { ask, messageOf, path, Refused } from '../api-client.ts';
import { drawNow } from '../draw-now.ts';
import { formatRoute } from '../route.ts';
import { go } from '../router.ts';
import { covered, keysOn, LOADING, type Loaded, loaded } from '../store.ts';
import { Tabs } from '../tabs.tsx';
import { groupsOfSession } from '../trace/session-trace.ts';
import { TraceView } from '../trace/trace-view.tsx';
import { View } from '../view.tsx';
import { ArtifactsPane } from './artifacts-pane.tsx';
import { CaseDialog } from './case-dialog.tsx';
import { Composer } from './composer.tsx';
import { Messages } from './messages.tsx';
import { putIntoOutbox, takeFromOutbox } from './outbox.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { SessionList } from './session-list.tsx';
import { stateDelta } from './state-delta.ts';
import { StateDialog } from './state-dialog.tsx';
import { streamTurn } from './stream-turn.ts';

/** A conversation with an agent, beside what happened inside it; or the list of conversations. */
export function ChatView({ app, session }: { readonly app: string; readonly session: string | null }) {
  return session === null ? (
    <SessionList app={app} />
  ) : (
    <Conversation key={`${app}/${session}`} app={app} id={session} />
  );
}

const SIDE = ['Trace', 'State', 'Artifacts'] as const;
const PHONE = ['Chat', ...SIDE] as const;

/** A message that is being answered. */
interface Turn {
  readonly message: MessageToSend;
  readonly events: readonly SessionEvent[];
}

function Conversation({ app, id }: { readonly app: string; readonly id: string }) {
  const [session, setSession] = useState<Loaded<SessionDetail>>(LOADING);
  const [agent, setAgent] = useState<AgentNode | null>(null);
  const [turn, setTurn] = useState<Turn | null>(null);
  const [problem, setProblem] = useState<string>();
  const [draft, setDraft] = useState('');
  const [dialog, setDialog] = useState<'case' | 'restart' | 'state' | null>(null);
  const [edited, setEdited] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const [resending, setResending] = useState<{ readonly why: string; readonly facts: Resending } | null>(null);
  const isOpen = useRef(true);
  const [side, setSide] = useState<(typeof PHONE)[number]>('Trace');
  const [shown, setShown] = useState<(typeof PHONE)[number]>('Chat');
  const marked = useSignal<ReadonlySet<string>>(new Set());
  const opened = useSignal<{ readonly group: string; readonly span: string } | null>(null);
  const phone = usePhone();
  const [isSearched, setSearched] = useState(false);
  const search = () => {
    setShown('Chat');
    setSearched(true);
    document.getElementById('search')?.focus();
  };
  useKeys(keysOn.value && covered.value === 0, { '/': search });
  const at = path('apps', app, 'sessions', id);

  const load = () => loaded(() => ask<SessionDetail>('GET', at));
  useEffect(() => {
    void load().then(async (answer) => {
      setSession(answer);
      if (answer.state !== 'there') return;
      const messages = takeFromOutbox(id);
      for (const [place, message] of messages.entries()) {
        const went = isOpen.current && (await send(message, answer.value));
        const left = messages.length - place - (went ? 1 : 0);
        if (went) continue;
        if (left > 1)
          setProblem(`${count(left - 1, 'message')} after this one ${left === 2 ? 'was' : 'were'} not sent.`);
        return;
      }
    });
    // An agent that does not load says so when it is talked to.
    ask<AgentNode>('GET', path('apps', app, 'agent')).then(setAgent, () => setAgent(null));
    return () => {
      isOpen.current = false;
    };
  }, []);

  const detail = session.state === 'there' ? session.value : null;
  // Another page has sent something, or this one was opened anew: nothing streams here.
  const isAnsweredElsewhere = detail?.isBusy === true && turn === null;
  useEffect(() => {
    if (!isAnsweredElsewhere) return;
    const timer = setInterval(() => void load().then(setSession), 1000);
    return () => clearInterval(timer);
  }, [isAnsweredElsewhere]);
  const groups = useMemo(() => (detail === null ? [] : groupsOfSession(detail.events, detail.spans)), [detail]);
  const show = (event: string) => {
    // On a narrow screen, the conversation has to be drawn first.
    drawNow(() => setShown('Chat'));
    document.getElementById(`event-${event}`)?.focus();
  };
  const link = { marked, opened, show };

  /** @returns Whether the agent answered to the end. */
  async function send(message: MessageToSend, { userId }: Pick<SessionDetail, 'userId'>): Promise<boolean> {
    setProblem(undefined);
    setTurn({ message, events: [] });
    let hasFailed = false;
    try {
      await streamTurn({ appName: app, userId, sessionId: id, message }, (event) => {
        hasFailed ||= Boolean(event.errorCode);
        setTurn((now) => (now === null ? now : { ...now, events: withPiece(now.events, event) }));
      });
    } catch (error) {
      hasFailed = true;
      setProblem(messageOf(error));
      // What was refused was not sent: it can be sent again.
      if (error instanceof Refused && error.status !== 0) setDraft(textOf(message));
    }
    const answer = await load();
    // Together, so that nothing is shown twice.
    setSession(answer);
    setTurn(null);
    return !hasFailed;
  }

  const say = (text: string) => {
    if (detail === null) return;
    setDraft('');
    void send({ content: { role: 'user', parts: [{ text }] } }, detail);
  };

  const stop = async () => {
    try {
      const stopped = await ask<SessionDetail>('POST', `${at}/stop`);
      if (turn === null) setSession({ state: 'there', value: stopped });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };

  const branch = async (resend: boolean) => {
    if (edited === null) return;
    setProblem(undefined);
    try {
      const body = { event: edited.id, text: edited.text, resend };
      const made = await ask<Branch | NeedsResending>('POST', `${at}/branch`, { body });
      if (made.session === null) {
        setResending({ why: made.why, facts: made.resending });
        return;
      }
      putIntoOutbox(made.session.id, made.messages);
      go({ view: 'chat', app, session: made.session.id });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };

  const openSpan = (event: string) => {
    for (const group of groups) {
      for (const [span, produced] of group.eventOfSpan) {
        if (produced !== event) continue;
        opened.value = { group: group.id, span };
        setSide('Trace');
        setShown('Trace');
        return;
      }
    }
  };
  const traced = useMemo(() => new Set(groups.flatMap(({ eventOfSpan }) => [...eventOfSpan.values()])), [groups]);

  if (session.state === 'loading')
    return (
      <View title="Chat">
        <p class="note">Opening the session…</p>
      </View>
    );
  if (detail === null) {
    return (
      <View title="Chat">
        <p class="problem">{session.state === 'failed' && session.problem}</p>
        <p>
          <a href={formatRoute({ view: 'chat', app, session: null })}>All sessions of {visible(app)}</a>
        </p>
      </View>
    );
  }
  const state = turn === null ? detail.state : null;
  const current = phone ? shown : side;
  const chat = (
    <section class="chat" aria-label="Conversation">
      {detail.continues !== null && (
        <p class="note">
          This continues <a href={formatRoute({ view: 'chat', app, session: detail.continues })}>an earlier session</a>,
          which is as it was.
        </p>
      )}
      <TranscriptSearch isOn={isSearched} close={() => setSearched(false)}>
        <Messages
          events={detail.events}
          turn={turn}
          link={link}
          traced={traced}
          openSpan={openSpan}
          isBusy={turn !== null || detail.isBusy}
          edited={edited}
          edit={setEdited}
          branch={() => void branch(false)}
        />
      </TranscriptSearch>
      {problem !== undefined && (
        <p class="problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
      <Composer
        value={draft}
        change={setDraft}
        send={say}
        stop={() => void stop()}
        isBusy={turn !== null || detail.isBusy}
        closed={detail.closed}
      />
    </section>
  );
  const pane = {
    Chat: () => chat,
    Trace: () => <TraceView groups={groups} agent={agent} link={link} />,
    State: () => (
      <>
        {state === null ? (
          <p class="note">The agent is answering. Its state follows.</p>
        ) : (
          <>
            <div class="state-actions">
              <CopyButton name="Copy" label="Copy the state" text={() => JSON.stringify(state, null, 2)} />
              {detail.takesState && detail.closed === null && (
                <button type="button" onClick={() => setDialog('state')}>
                  Change…
                </button>
              )}
            </div>
            <h2 class="sub">Now</h2>
            <JsonTree value={state} open />
          </>
        )}
        <h2 class="sub">At the beginning</h2>
        <JsonTree value={detail.initialState} open />
      </>
    ),
    Artifacts: () => (
      <ArtifactsPane app={app} session={id} told={newestArtifacts(detail.events)} age={detail.events.length} />
    ),
  };
  return (
    <View
      title="Chat"
      above={
        <>
          <a href={formatRoute({ view: 'app', app })}>{visible(app)}</a> /{' '}
          <a href={formatRoute({ view: 'chat', app, session: null })}>Sessions</a>
        </>
      }
      actions={
        <>
          <button type="button" class="quiet" title="Search the conversation (/)" onClick={search}>
            Search
          </button>
          <button type="button" onClick={() => setDialog('restart')}>
            Restart…
          </button>
          <button
            type="button"
            class="main"
            disabled={detail.events.length === 0 || turn !== null}
            onClick={() => setDialog('case')}
          >
            Add to eval set…
          </button>
        </>
      }
    >
      {phone ? (
        <Tabs label="Views of the session" names={PHONE} chosen={current} choose={(name) => setShown(name)}>
          {pane[current]()}
        </Tabs>
      ) : (
        <div class="chat-columns">
          {chat}
          <section class="chat-side" aria-label="Inside the session">
            <Tabs
              label="Inside the session"
              names={SIDE}
              chosen={current === 'Chat' ? 'Trace' : current}
              choose={(name) => setSide(name)}
            >
              {pane[current === 'Chat' ? 'Trace' : current]()}
            </Tabs>
          </section>
        </div>
      )}
      {dialog === 'restart' && (
        <StateDialog
          title="Restart"
          state={detail.initialState}
          deed="Start a new session"
          close={() => setDialog(null)}
          run={async (given) => {
            const made = await ask<SessionDetail>('POST', path('apps', app, 'sessions'), { body: { state: given } });
            setDialog(null);
            go({ view: 'chat', app, session: made.id });
          }}
        >
          <p class="note">
            A new session begins with this state. This one stays in the list, and nothing of it is run again.
          </p>
        </StateDialog>
      )}
      {dialog === 'state' && (
        <StateDialog
          title="Change the state"
          label="State from now on"
          state={detail.state}
          deed="Change it"
          close={() => setDialog(null)}
          run={async (wanted) => {
            const delta = stateDelta(detail.state, wanted);
            const value = await ask<SessionDetail>('PATCH', at, { body: { stateDelta: delta } });
            setSession({ state: 'there', value });
            setDialog(null);
          }}
        >
          <p class="note">The agent has it from the next message on. The conversation shows what was changed.</p>
        </StateDialog>
      )}
      {resending !== null && (
        <ResendDialog
          why={resending.why}
          resending={resending.facts}
          run={() => void branch(true)}
          close={() => setResending(null)}
        />
      )}
      {dialog === 'case' && <CaseDialog app={app} session={detail} close={() => setDialog(null)} />}
    </View>
  );
}

function textOf({ content }: MessageToSend): string {
  return (content.parts ?? []).flatMap(({ text }) => text ?? []).join('\n');
}
