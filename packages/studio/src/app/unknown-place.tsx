import { breakable, visible } from '@agent-criteria/viewer/views';
import { formatRoute } from './route.ts';
import { info, sets } from './store.ts';
import type { Unknown } from './unknown-in.ts';
import { View } from './view.tsx';

/** Says what an address names that is not there, and what there is. */
export function UnknownPlace({ unknown }: { readonly unknown: Unknown }) {
  const { app } = unknown;
  if (!('set' in unknown)) {
    const apps = info.value.state === 'there' ? info.value.value.apps : [];
    return (
      <View title="No such agent">
        <p>
          This studio has no agent “{visible(app)}”. Agents are found when it starts, in the folder that it was given.
        </p>
        <h2>Agents</h2>
        <ul class="set-list">
          {apps.map(({ name }) => (
            <li key={name}>
              <a href={formatRoute({ view: 'app', app: name })}>{breakable(name)}</a>
            </li>
          ))}
        </ul>
        <p>
          <a href="#/">All agents</a>
        </p>
      </View>
    );
  }
  const listed = sets.value.get(app);
  const all = listed?.state === 'there' ? listed.value : [];
  return (
    <View title="No such eval set" above={<a href={formatRoute({ view: 'app', app })}>{visible(app)}</a>}>
      <p>
        The agent {visible(app)} has no eval set “{visible(unknown.set)}”. Was its file renamed or deleted?
      </p>
      {all.length > 0 && <h2>Eval sets of {visible(app)}</h2>}
      <ul class="set-list">
        {all.map(({ id, name }) => (
          <li key={id}>
            <a href={formatRoute({ view: 'set', app, set: id, search: '' })}>{breakable(name ?? id)}</a>
          </li>
        ))}
      </ul>
      <p>
        <a href={formatRoute({ view: 'app', app })}>All of {visible(app)}</a>
      </p>
    </View>
  );
}
