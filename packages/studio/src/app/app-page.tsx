import { visible } from '@agent-criteria/viewer/views';
import { formatRoute } from './route.ts';
import { Skeleton } from './skeleton.tsx';
import { SetList } from './start-page.tsx';
import { info, setsOf } from './store.ts';
import { View } from './view.tsx';

/** Shows an agent with its eval sets and their last results. */
export function AppPage({ app }: { readonly app: string }) {
  const known = info.value.state === 'there' ? info.value.value.apps.find(({ name }) => name === app) : undefined;
  const all = setsOf(app);
  return (
    <View
      title={visible(app)}
      actions={
        <>
          <a href={formatRoute({ view: 'runs', app, chosen: [] })}>Runs</a>
          {known?.hasAgent === true && (
            <a class="button" href={formatRoute({ view: 'chat', app, session: null })}>
              Chat
            </a>
          )}
        </>
      }
    >
      {known?.hasAgent === false && (
        <p class="note">Eval sets without an agent: edit them, or run another agent on them.</p>
      )}
      <h2>Eval sets</h2>
      {all === undefined ? <Skeleton of="the eval sets" /> : <SetList app={app} all={all} canRun />}
    </View>
  );
}
