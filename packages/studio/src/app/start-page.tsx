import { count, localTime, visible } from '@agent-criteria/viewer/views';
import type { AppInfo, LastRun, SetSummary } from '../api.ts';
import { Answered } from './answer.tsx';
import { LastVerdict, lastRunOf } from './last-verdict.tsx';
import { lazy } from './lazy.tsx';
import { formatRoute } from './route.ts';
import { info, lastRuns, setsOf } from './store.ts';
import { View } from './view.tsx';

const FirstSteps = lazy(async () => (await import('./first-steps.tsx')).FirstSteps, null);

/** Lists the agents with their last results, and what to do next. */
export function StartPage() {
  return (
    <View
      title="Agents"
      actions={
        <a class="plain-button" href={formatRoute({ view: 'import' })}>
          Import conversations…
        </a>
      }
    >
      <Answered found={info.value} waiting="Reading the folder…">
        {({ apps }) => (
          <>
            {lastRuns.value?.length === 0 && <FirstSteps apps={apps} />}
            <ul class="agents">
              {apps.map((one) => (
                <li key={one.name}>
                  <AgentRow one={one} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Answered>
    </View>
  );
}

function AgentRow({ one }: { readonly one: AppInfo }) {
  const { name: app, hasAgent } = one;
  const all = setsOf(app);
  const last = lastOf(app);
  const [only] = all?.length === 1 ? all : [];
  return (
    <section class="agent-row">
      <div>
        <h2>
          <a href={formatRoute({ view: 'app', app })}>
            <bdi>{visible(app)}</bdi>
          </a>
        </h2>
        <p class="note">
          {!hasAgent && 'Eval sets without an agent · '}
          {last === undefined ? (
            'no run yet'
          ) : (
            <>
              last run <a href={formatRoute({ view: 'run', run: last.run })}>{localTime(last.startedAt)}</a>
            </>
          )}
        </p>
      </div>
      <SetList app={app} all={all} />
      <p class="view-actions">
        {hasAgent && (
          <a class="plain-button" href={formatRoute({ view: 'chat', app, session: null })}>
            Chat<span class="unseen"> with {visible(app)}</span>
          </a>
        )}
        {hasAgent && only !== undefined && (
          <a class="plain-button" href={formatRoute({ view: 'run-dialog', app, set: only.id, cases: [] })}>
            Run…<span class="unseen"> {visible(only.name ?? only.id)}</span>
          </a>
        )}
      </p>
    </section>
  );
}

/** Lists eval sets with their last results; where there are several, each has a link that runs it. */
export function SetList(props: {
  readonly app: string;
  readonly all: readonly SetSummary[] | undefined;
  readonly canRun?: boolean;
}) {
  const { app, all } = props;
  if (all === undefined) return <p class="note">Reading the eval sets…</p>;
  if (all.length === 0) return <p class="note">No eval set yet.</p>;
  return (
    <ul class="set-list">
      {all.map((set) => {
        const { id, name, cases, problem } = set;
        const last = lastRunOf(app, set, all);
        return (
          <li key={id}>
            <a href={formatRoute({ view: 'set', app, set: id, search: '' })}>
              <bdi>{visible(name ?? id)}</bdi>
            </a>{' '}
            {last === undefined ? (
              <small>{cases === null ? 'cannot be read' : count(cases, 'case')}</small>
            ) : (
              <LastVerdict last={last} />
            )}
            {(all.length > 1 || props.canRun === true) && cases !== null && (
              <>
                {' '}
                <a class="run-set" href={formatRoute({ view: 'run-dialog', app, set: id, cases: [] })}>
                  Run…<span class="unseen"> {visible(name ?? id)}</span>
                </a>
              </>
            )}
            {problem !== undefined && <p class="problem">{problem}</p>}
          </li>
        );
      })}
    </ul>
  );
}

function lastOf(app: string): LastRun | undefined {
  const own = lastRuns.value?.filter((one) => one.app === app) ?? [];
  return own.toSorted((a, b) => b.startedAt - a.startedAt)[0];
}
