import type { Content, State } from '@agent-criteria/core';
import { count, localTime, visible } from '@agent-criteria/viewer/views';
import { useRef, useState } from 'preact/hooks';
import type { AgentDetail, SessionDetail, SessionSummary } from '../../api.ts';
import { Answered, useAnswer } from '../answer.tsx';
import { ask } from '../api-client.ts';
import { Button } from '../button.tsx';
import { Confirm } from '../dialog.tsx';
import { formatRoute } from '../route.ts';
import { complain, notify } from '../toasts.tsx';
import { TurnRunList } from '../turn-run/turn-run-list.tsx';
import { View } from '../view.tsx';
import { Composer } from './composer.tsx';
import { goToOpened } from './just-opened.ts';
import { type MessageFile, messageOf } from './message-file.ts';
import { StateDialog } from './state-dialog.tsx';
import { keepUnsentFiles, unsentFiles } from './unsent-files.ts';
import { keepUnsentText, unsentText } from './unsent-text.ts';
import { whyNoFiles } from './why-no-files.ts';

/** Lists the kept sessions with an agent, newest first. */
export function SessionList({ app }: { readonly app: string }) {
  const [age, setAge] = useState(0);
  const list = useAnswer('GET /apps/:app/sessions', { app }, age);
  const [giving, setGiving] = useState(false);
  const [deleting, setDeleting] = useState<SessionSummary | null>(null);
  const opening = useRef<Promise<SessionDetail> | null>(null);
  const [files, changeFiles] = useState(() => unsentFiles(app, NEW));
  const [areFilesKept, setFilesKept] = useState(true);
  const setFiles = (attached: readonly MessageFile[]) => {
    setFilesKept(keepUnsentFiles(app, NEW, attached));
    changeFiles(attached);
  };
  /**
   * Opens a session with the text and files given here, or sends `message` there. Until this list is gone, it opens only
   * one.
   */
  const begin = async (state: State, message?: Content) => {
    const asked = opening.current ?? ask('POST /apps/:app/sessions', { app, body: { state } });
    opening.current = asked;
    try {
      const made = await asked;
      keepUnsentText(app, made.id, message === undefined ? unsentText(app, NEW) : '');
      goToOpened(app, made, message === undefined ? { files } : { messages: [{ content: message }] });
      keepUnsentText(app, NEW, '');
      keepUnsentFiles(app, NEW, []);
    } catch (error) {
      opening.current = null;
      throw error;
    }
  };
  const remove = async ({ id }: SessionSummary) => {
    try {
      await ask('DELETE /apps/:app/sessions/:session', { app, session: id });
      notify('Deleted the session.');
      setAge((now) => now + 1);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <View
      title="Chat"
      above={<a href={formatRoute({ view: 'app', app })}>{visible(app)}</a>}
      actions={
        <>
          <Button text="Start with a state…" onClick={() => setGiving(true)} />
          <Button text="New session" onClick={() => begin({}).catch(complain)} />
        </>
      }
    >
      <FirstMessage
        app={app}
        files={files}
        setFiles={setFiles}
        areFilesKept={areFilesKept}
        send={(message) => begin({}, message)}
      />
      <Answered found={list} waiting="Reading the sessions…">
        {(sessions) =>
          sessions.length === 0 ? (
            <p class="note">
              No earlier sessions. The newest 200 are kept in this project; what is worth keeping for good becomes an
              eval case.
            </p>
          ) : (
            <>
              <h2>Earlier sessions</h2>
              <ul class="sessions">
                {sessions.map((one) => (
                  <li key={one.id}>
                    <a href={formatRoute({ view: 'chat', app, session: one.id })}>
                      <bdi>{one.opening === '' ? 'Nothing said yet' : visible(one.opening)}</bdi>
                    </a>
                    <small>
                      {count(one.messages, 'message')}, {localTime(one.lastUpdateTime * 1000)}
                      {one.userId !== 'user' && `, ${visible(one.userId)}`}
                    </small>
                    <Button
                      text="Delete"
                      unseen={` “${visible(one.opening.slice(0, 60))}”`}
                      class="quiet"
                      onClick={() => setDeleting(one)}
                    />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Answered>
      <TurnRunList app={app} />
      {giving && (
        <StateDialog
          title="New session"
          state={{}}
          deed="Start"
          close={() => setGiving(false)}
          run={async (state) => {
            setGiving(false);
            await begin(state);
          }}
        />
      )}
      {deleting !== null && (
        <Confirm
          title="Delete this session?"
          deed="Delete"
          run={() => void remove(deleting)}
          close={() => setDeleting(null)}
        >
          <p>The conversation and its trace are gone then.</p>
        </Confirm>
      )}
    </View>
  );
}

/** A message box that begins a new session with what is sent. */
function FirstMessage(props: {
  readonly app: string;
  readonly files: readonly MessageFile[];
  readonly areFilesKept: boolean;
  setFiles(files: readonly MessageFile[]): void;
  send(message: Content): Promise<void>;
}) {
  const { app, files, areFilesKept, setFiles, send } = props;
  const [agent, setAgent] = useState<AgentDetail | null>(null);
  const [draft, changeDraft] = useState(() => unsentText(app, NEW));
  const [isBusy, setBusy] = useState(false);
  const setDraft = (text: string) => {
    keepUnsentText(app, NEW, text);
    changeDraft(text);
  };
  const say = async (message: Content) => {
    setBusy(true);
    try {
      await send(message);
    } catch (error) {
      setBusy(false);
      complain(error);
    }
  };
  return (
    <Composer
      conversation={{
        draft,
        setDraft,
        files,
        setFiles,
        areFilesKept,
        earlierBytes: 0,
        // Loading the agent takes a while, so it is not asked before somebody attaches a file.
        agent,
        whyNoFiles: () => whyNoFiles(app, setAgent),
        isBusy,
        detail: null,
        queue: [],
        isQueueKept: true,
        say: (text, attached) => void say(messageOf(text, attached)),
        // A session that does not exist yet has nothing to withdraw or to stop.
        withdraw: () => undefined,
        stop: async () => {},
      }}
    />
  );
}

/** Stands for the session that does not exist yet; no session has an empty id. */
const NEW = '';
