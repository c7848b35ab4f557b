import { breakable, count, localTime, VERDICT_WORDS, VerdictIcon, visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { LastRun, SetSummary } from '../api.ts';
import { Button } from './button.tsx';
import { appOfRoute, formatRoute } from './route.ts';
import { route } from './router.ts';
import { NewSetDialog, SetDialog } from './set-dialogs.tsx';
import { info, lastRuns, sets } from './store.ts';

type Opened = { readonly app: string; readonly set: SetSummary | null } | null;

export function Sidebar() {
  const [opened, setOpened] = useState<Opened>(null);
  const [words, setWords] = useState('');
  const shown = info.value;
  const here = route.value;
  const close = () => setOpened(null);
  const wanted = words.trim().toLowerCase();
  const fits = ({ id, name }: SetSummary) => `${id} ${name ?? ''}`.toLowerCase().includes(wanted);
  return (
    <nav class="sidebar" aria-label="Agents and eval sets">
      <input
        id="set-search"
        type="search"
        aria-label="Search eval sets"
        placeholder="Search sets"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {shown.state === 'failed' && <p class="problem">{shown.problem}</p>}
      {shown.state === 'there' &&
        shown.value.apps.map(({ name: app, hasAgent }) => {
          const listed = sets.value.get(app);
          return (
            <section key={app}>
              <h2>
                <Link to={formatRoute({ view: 'app', app })} current={here.view === 'app' && here.app === app}>
                  <bdi>{breakable(app)}</bdi>
                </Link>
                <Button
                  text="New set"
                  unseen={` of ${visible(app)}`}
                  class="quiet"
                  onClick={() => setOpened({ app, set: null })}
                />
              </h2>
              <ul>
                {hasAgent && (
                  <li>
                    <Link
                      to={formatRoute({ view: 'chat', app, session: null })}
                      current={here.view === 'chat' && here.app === app}
                    >
                      Chat
                    </Link>
                  </li>
                )}
                <li>
                  <Link
                    to={formatRoute({ view: 'runs', app, chosen: [] })}
                    current={here.view === 'runs' && appOfRoute(here) === app}
                  >
                    Runs
                  </Link>
                </li>
              </ul>
              <h3>Eval sets</h3>
              <ul>
                {listed?.state === 'failed' && <li class="problem">{listed.problem}</li>}
                {listed?.state === 'there' && listed.value.length === 0 && (
                  <li class="note">None yet. Make one, or put a *.evalset.json file beside the agent.</li>
                )}
                {listed?.state === 'there' &&
                  listed.value.filter(fits).map((set) => (
                    <li key={set.id} class="set-line">
                      <Link
                        to={formatRoute({ view: 'set', app, set: set.id, search: '' })}
                        current={'set' in here && here.app === app && here.set === set.id}
                      >
                        <bdi>{visible(set.name ?? set.id)}</bdi>
                        <Standing app={app} set={set} all={listed.value} />
                      </Link>
                      <Button
                        text="⋯"
                        class="quiet"
                        aria-label={`Rename or delete ${visible(set.name ?? set.id)}`}
                        onClick={() => setOpened({ app, set })}
                      />
                    </li>
                  ))}
              </ul>
            </section>
          );
        })}
      <section>
        <ul>
          <li>
            <Link
              to={formatRoute({ view: 'runs', app: null, chosen: [] })}
              current={here.view === 'runs' && here.app === null}
            >
              All runs
            </Link>
          </li>
        </ul>
      </section>
      {opened !== null &&
        (opened.set === null ? (
          <NewSetDialog app={opened.app} close={close} />
        ) : (
          <SetDialog app={opened.app} set={opened.set} close={close} />
        ))}
    </nav>
  );
}

/** Shows the last result of a set, or else its number of cases. */
function Standing(props: { readonly app: string; readonly set: SetSummary; readonly all: readonly SetSummary[] }) {
  const { app, set, all } = props;
  // Runs cannot distinguish between two files whose sets have the same id.
  const isAlone = all.filter(({ evalSetId }) => evalSetId === set.evalSetId).length === 1;
  const last = lastRuns.value?.find((one) => isAlone && one.app === app && one.evalSetId === set.evalSetId);
  if (last !== undefined && set.cases !== null) return <LastVerdict last={last} />;
  return (
    <>
      <small>{set.cases === null ? '!' : set.cases.toLocaleString('en')}</small>
      <span class="unseen">{set.cases === null ? ' cannot be read' : set.cases === 1 ? ' case' : ' cases'}</span>
    </>
  );
}

function Link(props: { readonly to: string; readonly current: boolean; readonly children: preact.ComponentChildren }) {
  return (
    <a href={props.to} aria-current={props.current ? 'page' : undefined}>
      {props.children}
    </a>
  );
}

const ORDER = ['passed', 'failed', 'error', 'not-evaluated', 'informational'] as const;

/** Shows the result of the last run of an eval set. */
export function LastVerdict({ last }: { readonly last: LastRun }) {
  const { verdict, verdicts, total, startedAt } = last;
  const counts = ORDER.filter((one) => verdicts[one] > 0).map(
    (one) => `${verdicts[one].toLocaleString('en')} ${VERDICT_WORDS[one].toLowerCase()}`,
  );
  const when = localTime(startedAt);
  const words = `Last run, ${when}: ${count(total, 'case')}, ${counts.join(', ')}`;
  return (
    <small class="last-verdict" title={words}>
      <VerdictIcon verdict={verdict} />
      <span aria-hidden="true">
        {verdicts.passed.toLocaleString('en')}/{total.toLocaleString('en')}
      </span>
      <span class="unseen">{words}</span>
    </small>
  );
}
