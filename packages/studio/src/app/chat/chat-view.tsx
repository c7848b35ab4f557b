import { CopyButton, JsonTree, loadMarkdown, TranscriptSearch, usePhone, visible } from '@agent-criteria/viewer/views';
import { useSignal } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { SessionDetail } from '../../api.ts';
import { newestArtifacts } from '../../sessions/event.ts';
import { Problem } from '../answer.tsx';
import { ask } from '../api-client.ts';
import { Button } from '../button.tsx';
import { CodeNotice } from '../code-notice.tsx';
import { drawNow } from '../draw-now.ts';
import { FillButton, isFilled } from '../fill-button.tsx';
import { useStudioKeys } from '../keys.ts';
import { formatRoute } from '../route.ts';
import { Splitter } from '../splitter.tsx';
import { Tabs } from '../tabs.tsx';
import { LazyTrace } from '../trace/lazy-trace.tsx';
import { groupsOfSession } from '../trace/session-trace.ts';
import type { OpenedSpan } from '../trace/trace-link.ts';
import { TurnRunDialog } from '../turn-run/turn-again.tsx';
import { View } from '../view.tsx';
import { ArtifactsPane } from './artifacts-pane.tsx';
import { CaseDialog } from './case-dialog.tsx';
import { Composer } from './composer.tsx';
import { goToOpened } from './just-opened.ts';
import { Messages } from './messages.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { SessionList } from './session-list.tsx';
import { stateDelta } from './state.ts';
import { StateDialog } from './state-dialog.tsx';
import { useConversation } from './use-conversation.ts';

// Loaded along with the conversation, so that its answers need not be drawn twice.
void loadMarkdown();

/** Shows a conversation with an agent next to its trace, or the list of conversations. */
export function ChatView({ app, session }: { readonly app: string; readonly session: string | null }) {
  return session === null ? (
    <SessionList app={app} />
  ) : (
    <Conversation key={`${app}/${session}`} app={app} id={session} />
  );
}

const SIDE = ['Trace', 'State', 'Artifacts'] as const;
const PHONE = ['Chat', ...SIDE] as const;

function Conversation({ app, id }: { readonly app: string; readonly id: string }) {
  const conversation = useConversation(app, id);
  const { session, detail, agent, resending } = conversation;
  const [dialog, setDialog] = useState<'case' | 'restart' | 'state' | null>(null);
  /** The message whose turn is to run again. */
  const [again, setAgain] = useState<string | null>(null);
  const [side, setSide] = useState<(typeof PHONE)[number]>('Trace');
  const [shown, setShown] = useState<(typeof PHONE)[number]>('Chat');
  const marked = useSignal<ReadonlySet<string>>(new Set());
  const opened = useSignal<OpenedSpan | null>(null);
  const phone = usePhone();
  const beside = useRef<HTMLElement>(null);
  const [isSearched, setSearched] = useState(false);
  const search = () => {
    setShown('Chat');
    setSearched(true);
    document.getElementById('search')?.focus();
  };
  useStudioKeys({ '/': search });
  const groups = useMemo(() => (detail === null ? [] : groupsOfSession(detail.events, detail.spans)), [detail]);
  const show = (event: string) => {
    // On a narrow screen, the conversation must be rendered first.
    drawNow(() => {
      setShown('Chat');
      isFilled.value = false;
    });
    document.getElementById(`event-${event}`)?.focus();
  };
  const link = { marked, opened, show };

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
  const current = phone ? shown : side;
  const chat = (
    <section class="chat" aria-label="Conversation">
      {detail.continues !== null && (
        <p class="note">
          This continues <a href={formatRoute({ view: 'chat', app, session: detail.continues })}>an earlier session</a>,
          which is as it was.
        </p>
      )}
      {detail.unsaved !== null && (
        <p class="banner not-evaluated" dir="auto">
          {detail.unsaved}
        </p>
      )}
      <TranscriptSearch isOn={isSearched} close={() => setSearched(false)}>
        <Messages
          events={conversation.earlier}
          conversation={conversation}
          link={link}
          traced={traced}
          openSpan={openSpan}
          runAgain={setAgain}
        />
      </TranscriptSearch>
      <CodeNotice app={app} since={conversation.askedAt} next="the next message" />
      <Problem text={conversation.problem} />
      <Composer conversation={conversation} />
    </section>
  );
  const pane = {
    Chat: () => chat,
    Trace: () => <LazyTrace groups={groups} agent={agent} link={link} />,
    State: () => <StatePane detail={detail} isBusy={conversation.isBusy} change={() => setDialog('state')} />,
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
          <Button text="Search" class="quiet" title="Search the conversation (/)" onClick={search} />
          <Button text="Restart…" onClick={() => setDialog('restart')} />
          <Button
            text="Add to eval set…"
            disabled={detail.events.length === 0 || conversation.isBusy}
            onClick={() => setDialog('case')}
          />
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
          <Splitter name="chat" label="Width of the conversation" share={50} />
          <section ref={beside} class="chat-side" aria-label="Inside the session">
            <Tabs
              label="Inside the session"
              names={SIDE}
              chosen={current === 'Chat' ? 'Trace' : current}
              choose={(name) => setSide(name)}
              tools={<FillButton pane={beside} of="pane" />}
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
            const made = await ask('POST /apps/:app/sessions', { app, body: { state: given } });
            setDialog(null);
            goToOpened(app, made);
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
            const body = { stateDelta: delta };
            conversation.show(await ask('PATCH /apps/:app/sessions/:session', { app, session: id, body }));
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
          run={() => void conversation.branch(true)}
          close={conversation.dropResending}
        />
      )}
      {again !== null && <TurnRunDialog of={{ app, session: id, event: again }} close={() => setAgain(null)} />}
      {dialog === 'case' && <CaseDialog app={app} session={detail} close={() => setDialog(null)} />}
    </View>
  );
}

function StatePane(props: { readonly detail: SessionDetail; readonly isBusy: boolean; change(): void }) {
  const { detail, isBusy, change } = props;
  const { state, initialState } = detail;
  return (
    <>
      {isBusy ? (
        <p class="note">The agent is answering. Its state follows.</p>
      ) : (
        <>
          <div class="state-actions">
            <CopyButton name="Copy" label="Copy the state" text={() => JSON.stringify(state, null, 2)} />
            {detail.takesState && detail.closed === null && <Button text="Change…" onClick={change} />}
          </div>
          <h2 class="sub">Now</h2>
          <JsonTree value={state} open />
        </>
      )}
      <h2 class="sub">At the beginning</h2>
      <JsonTree value={initialState} open />
    </>
  );
}
