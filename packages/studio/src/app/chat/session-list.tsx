import { count, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { SessionDetail, SessionSummary } from '../../api.ts';
import { ask, path } from '../api-client.ts';
import { Confirm } from '../dialog.tsx';
import { formatRoute } from '../route.ts';
import { go } from '../router.ts';
import { LOADING, type Loaded, loaded } from '../store.ts';
import { complain, notify } from '../toasts.tsx';
import { View } from '../view.tsx';
import { StateDialog } from './state-dialog.tsx';

/** The conversations with an agent since the studio was started. */
export function SessionList({ app }: { readonly app: string }) {
  const [list, setList] = useState<Loaded<readonly SessionSummary[]>>(LOADING);
  const [giving, setGiving] = useState(false);
  const [deleting, setDeleting] = useState<SessionSummary | null>(null);
  const at = path('apps', app, 'sessions');
  const load = async () => setList(await loaded(() => ask<readonly SessionSummary[]>('GET', at)));
  useEffect(() => {
    setList(LOADING);
    void load();
  }, [app]);
  const begin = async (state: object) => {
    const made = await ask<SessionDetail>('POST', at, { body: { state } });
    go({ view: 'chat', app, session: made.id });
  };
  const remove = async ({ id }: SessionSummary) => {
    try {
      await ask('DELETE', `${at}${path(id)}`);
      notify('Deleted the session.');
      await load();
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
          <button type="button" onClick={() => setGiving(true)}>
            Begin with a state…
          </button>
          <button type="button" class="main" onClick={() => begin({}).catch(complain)}>
            New session
          </button>
        </>
      }
    >
      {list.state === 'failed' && <p class="problem">{list.problem}</p>}
      {list.state === 'loading' && <p class="note">Loading…</p>}
      {list.state === 'there' && list.value.length === 0 && (
        <p class="note">
          No sessions yet. They are kept until the studio ends; what is worth keeping becomes an eval case.
        </p>
      )}
      {list.state === 'there' && list.value.length > 0 && (
        <ul class="sessions">
          {list.value.map((one) => (
            <li key={one.id}>
              <a href={formatRoute({ view: 'chat', app, session: one.id })}>
                <bdi>{one.opening === '' ? 'Nothing said yet' : visible(one.opening)}</bdi>
              </a>
              <small>
                {count(one.messages, 'message')}, {new Date(one.lastUpdateTime * 1000).toLocaleTimeString('en-GB')}
                {one.userId !== 'user' && `, ${visible(one.userId)}`}
              </small>
              <button type="button" class="quiet" onClick={() => setDeleting(one)}>
                Delete<span class="unseen"> “{visible(one.opening.slice(0, 60))}”</span>
              </button>
            </li>
          ))}
        </ul>
      )}
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
