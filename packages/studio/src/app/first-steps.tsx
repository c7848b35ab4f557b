import { visible } from '@agent-criteria/viewer/views';
import type { AppInfo } from '../api.ts';
import { formatRoute } from './route.ts';
import { setsOf } from './store.ts';

/** The first steps in a project without runs. */
export function FirstSteps({ apps }: { readonly apps: readonly AppInfo[] }) {
  const app = apps.find(({ hasAgent }) => hasAgent)?.name;
  if (app === undefined) return null;
  const [set] = apps.flatMap(({ name }) => setsOf(name)?.map(({ id }) => ({ app: name, id })) ?? []);
  return (
    <section class="first-steps" aria-labelledby="first-steps-title">
      <h2 id="first-steps-title">First steps</h2>
      <ol>
        <li>
          <b>
            <a href={formatRoute({ view: 'chat', app, session: null })}>Chat with {visible(app)}</a>
          </b>
          <span>Say what a user would say, and look at its answers and calls.</span>
        </li>
        <li>
          <b>Add the chat to an eval set</b>
          <span>A good conversation becomes a case: what the agent is expected to do again.</span>
        </li>
        <li>
          <b>
            {set === undefined ? (
              'Run the set'
            ) : (
              <a href={formatRoute({ view: 'run-dialog', app: set.app, set: set.id, cases: [] })}>Run the set</a>
            )}
          </b>
          <span>
            After each change: here, or with <code>npx agent-criteria eval</code> in CI. The verdicts are the same.
          </span>
        </li>
      </ol>
    </section>
  );
}
