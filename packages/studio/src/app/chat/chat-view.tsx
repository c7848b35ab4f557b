import { CopyButton, JsonTree, usePhone, visible } from '@agent-criteria/viewer/views';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AgentNode, SessionDetail, SessionEvent } from '../../api.ts';
import { ask, messageOf, path, Refused } from '../api-client.ts';
import { formatRoute } from '../route.ts';
import { go } from '../router.ts';
import { LOADING, type Loaded, loaded } from '../store.ts';
import { Tabs } from '../tabs.tsx';
import { groupsOfSession } from '../trace/session-trace.ts';
import { TraceView } from '../trace/trace-view.tsx';
import { View } from '../view.tsx';
import { CaseDialog } from './case-dialog.tsx';
import { artifactsOf, withEvent } from './chat-event.ts';
import { Composer } from './composer.tsx';
import { Messages } from './messages.tsx';
import { SessionList } from './session-list.tsx';
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
  readonly text: string;
  readonly events: readonly SessionEvent[];
}

function Conversation({ app, id }: { readonly app: string; readonly id: string }) {
  const [session, setSession] = useState<Loaded<SessionDetail>>(LOADING);
  const [agent, setAgent] = useState<AgentNode | null>(null);
  const [turn, setTurn] = useState<Turn | null>(null);
  const [problem, setProblem] = useState<string>();
  const [draft, setDraft] = useState('');
  const [dialog, setDialog] = useState<'case' | 'state' | null>(null);
  const [side, setSide] = useState<(typeof PHONE)[number]>('Trace');
  const [shown, setShown] = useState<(typeof PHONE)[number]>('Chat');
  const marked = useSignal<ReadonlySet<string>>(new Set());
  const opened = useSignal<{ readonly group: string; readonly span: string } | null>(null);
  const phone = usePhone();
  const at = path('apps', app, 'sessions', id);

  const load = () => loaded(() => ask<SessionDetail>('GET', at));
  useEffect(() => {
    void load().then(setSession);
    // An agent that does not load says so when it is talked to.
    ask<AgentNode>('GET', path('apps', app, 'agent')).then(setAgent, () => setAgent(null));
  }, []);

  const detail = session.state === 'there' ? session.value : null;
  const groups = useMemo(() => (detail === null ? [] : groupsOfSession(detail.events, detail.spans)), [detail]);
  const show = (event: string) => {
    setShown('Chat');
    // On a narrow screen, the conversation has to be drawn first.
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`event-${event}`)?.focus()));
  };
  const link = { marked, opened, show };

  const send = async (text: string) => {
    if (detail === null) return;
    setProblem(undefined);
    setDraft('');
    setTurn({ text, events: [] });
    try {
      await streamTurn({ appName: app, userId: detail.userId, sessionId: id, text }, (event) =>
        setTurn((now) => (now === null ? now : { ...now, events: withEvent(now.events, event) })),
      );
    } catch (error) {
      setProblem(messageOf(error));
      // What was refused was not sent: it can be sent again.
      if (error instanceof Refused && error.status !== 0) setDraft(text);
    }
    const answer = await load();
    // Together, so that nothing is shown twice.
    setSession(answer);
    setTurn(null);
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
  const artifacts = artifactsOf(detail.events);
  const current = phone ? shown : side;
  const chat = (
    <section class="chat" aria-label="Conversation">
      <Messages
        events={detail.events}
        turn={turn}
        link={link}
        traced={traced}
        openSpan={openSpan}
        isBusy={turn !== null || detail.isBusy}
      />
      {problem !== undefined && (
        <p class="problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
      <Composer
        value={draft}
        change={setDraft}
        send={(text) => void send(text)}
        isBusy={turn !== null}
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
            <CopyButton name="Copy" label="Copy the state" text={() => JSON.stringify(state, null, 2)} />
            <h2 class="sub">Now</h2>
            <JsonTree value={state} open />
          </>
        )}
        <h2 class="sub">At the beginning</h2>
        <JsonTree value={detail.initialState} open />
      </>
    ),
    Artifacts: () =>
      artifacts.size === 0 ? (
        <p class="note">The agent has saved no artifacts in this conversation.</p>
      ) : (
        <ul class="artifacts">
          {[...artifacts].map(([name, version]) => (
            <li key={name}>
              <bdi>{visible(name)}</bdi> <small>version {visible(String(version))}</small>
            </li>
          ))}
        </ul>
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
          <button type="button" onClick={() => setDialog('state')}>
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
      {dialog === 'state' && (
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
      {dialog === 'case' && <CaseDialog app={app} session={detail} close={() => setDialog(null)} />}
    </View>
  );
}
