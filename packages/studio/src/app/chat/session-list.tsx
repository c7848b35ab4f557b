import type { State } from '@agent-criteria/core';
import { count, localTime, visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../api.ts';
import { Answered, useAnswer } from '../answer.tsx';
import { ask } from '../api-client.ts';
import { Button } from '../button.tsx';
import { Confirm } from '../dialog.tsx';
import { formatRoute } from '../route.ts';
import { go } from '../router.ts';
import { complain, notify } from '../toasts.tsx';
import { TurnRunList } from '../turn-run/turn-run-list.tsx';
import { View } from '../view.tsx';
import { StateDialog } from './state-dialog.tsx';

/** Lists the kept sessions with an agent, newest first. */
export function SessionList({ app }: { readonly app: string }) {
  const [age, setAge] = useState(0);
  const list = useAnswer('GET /apps/:app/sessions', { app }, age);
  const [giving, setGiving] = useState(false);
  const [deleting, setDeleting] = useState<SessionSummary | null>(null);
  const begin = async (state: State) => {
    const made = await ask('POST /apps/:app/sessions', { app, body: { state } });
    go({ view: 'chat', app, session: made.id });
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
          <Button text="Begin with a state…" onClick={() => setGiving(true)} />
          <Button text="New session" class="main" onClick={() => begin({}).catch(complain)} />
        </>
      }
    >
      <Answered found={list} waiting="Loading…">
        {(sessions) =>
          sessions.length === 0 ? (
            <p class="note">
              No sessions yet. The newest 200 are kept in this project; what is worth keeping for good becomes an eval
              case.
            </p>
          ) : (
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
