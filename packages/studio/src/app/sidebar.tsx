import { breakable, visible } from '@agent-criteria/viewer/views';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AppInfo, SetSummary } from '../api.ts';
import { Button } from './button.tsx';
import { LastVerdict, lastRunOf } from './last-verdict.tsx';
import { lazy } from './lazy.tsx';
import { formatRoute, type Route } from './route.ts';
import { route } from './router.ts';
import { type ShownPlace, shownPlace } from './shown-place.ts';
import { Skeleton } from './skeleton.tsx';
import { info, sets } from './store.ts';

const NewSetDialog = lazy(async () => (await import('./set-dialogs.tsx')).NewSetDialog, null);
const SetDialog = lazy(async () => (await import('./set-dialogs.tsx')).SetDialog, null);

type Opened = { readonly app: string; readonly set: SetSummary | null } | null;

/** Lists agents with their eval sets. Only the current agent, and those that the user opens, are unfolded. */
export function Sidebar({ fold }: { fold?: (() => void) | undefined }) {
  const [opened, setOpened] = useState<Opened>(null);
  const [words, setWords] = useState('');
  /** Agents that the user unfolded or folded, against the default. */
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const nav = useRef<HTMLElement>(null);
  const shown = info.value;
  const here = route.value;
  const current = placeOf(here, shownPlace.value);
  const wanted = words.trim().toLowerCase();
  const apps = shown.state === 'there' ? shown.value.apps : [];
  const key = JSON.stringify([current, here.view]);
  // The current agent is unfolded once it is opened, even if it was folded before.
  useEffect(() => setTurned((now) => new Map([...now].filter(([app]) => app !== current?.app))), [current?.app]);
  useEffect(() => scrollToCurrent(nav.current), [key, sets.value]);
  return (
    <nav class="sidebar" aria-label="Agents and eval sets" ref={nav}>
      <div class="sidebar-head">
        <input
          id="set-search"
          type="search"
          aria-label="Search agents and eval sets"
          placeholder="Search sets"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        {fold !== undefined && (
          <Button text="«" class="quiet" aria-label="Hide the side bar" title="Hide the side bar" onClick={fold} />
        )}
      </div>
      {shown.state === 'loading' && <Skeleton of="the agents" lines={5} />}
      {shown.state === 'failed' && <p class="problem">{shown.problem}</p>}
      {apps.map((one) => (
        <AppSection
          key={one.name}
          one={one}
          here={here}
          current={current}
          wanted={wanted}
          isOpen={turned.get(one.name) ?? (one.name === current?.app || apps.length === 1)}
          turn={(isOpen) => setTurned(new Map([...turned, [one.name, isOpen]]))}
          open={(set) => setOpened({ app: one.name, set })}
        />
      ))}
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
          <li>
            <Link to={formatRoute({ view: 'import' })} current={here.view === 'import'}>
              Import conversations
            </Link>
          </li>
        </ul>
      </section>
      {opened !== null &&
        (opened.set === null ? (
          <NewSetDialog app={opened.app} close={() => setOpened(null)} />
        ) : (
          <SetDialog app={opened.app} set={opened.set} close={() => setOpened(null)} />
        ))}
    </nav>
  );
}

/** Returns the agent and the sets of a view: from its address, or else as the view itself says. */
function placeOf(here: Route, shown: ShownPlace | null): ShownPlace | null {
  if ('app' in here) return here.app === null ? null : { app: here.app, sets: 'set' in here ? [here.set] : [] };
  return shown;
}

/** Scrolls the side bar, but not the page, to what is marked. */
function scrollToCurrent(nav: HTMLElement | null): void {
  const mark = nav?.querySelector('[aria-current]');
  if (!nav || !mark) return;
  const [outer, inner] = [nav.getBoundingClientRect(), mark.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) nav.scrollTop += inner.top - outer.top - outer.height / 3;
}

function AppSection(props: {
  readonly one: AppInfo;
  readonly here: Route;
  readonly current: ShownPlace | null;
  readonly wanted: string;
  readonly isOpen: boolean;
  turn(isOpen: boolean): void;
  /** Opens the dialog of a set, or that of a new one. */
  open(set: SetSummary | null): void;
}) {
  const { one, here, current, wanted } = props;
  const { name: app, hasAgent } = one;
  const listed = sets.value.get(app);
  const all = listed?.state === 'there' ? listed.value : [];
  const isNamed = app.toLowerCase().includes(wanted);
  const found = isNamed ? all : all.filter(({ id, name }) => `${id} ${name ?? ''}`.toLowerCase().includes(wanted));
  // While the user searches, agents with matches are unfolded, and others are left out.
  if (wanted !== '' && !isNamed && found.length === 0) return null;
  const isOpen = props.isOpen || (wanted !== '' && found.length > 0);
  const isHere = current?.app === app;
  const title = visible(app);
  return (
    <section class={isHere ? 'here' : undefined}>
      <h2>
        <button
          type="button"
          class="quiet turn-down"
          aria-expanded={isOpen}
          aria-label={`Eval sets of ${title}`}
          title={isOpen ? 'Fold' : 'Unfold'}
          onClick={() => props.turn(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <Link to={formatRoute({ view: 'app', app })} current={here.view === 'app' && here.app === app}>
          <bdi>{breakable(app)}</bdi>
          {!isOpen && all.length > 0 && <small title={`Eval sets: ${all.length}`}>{all.length}</small>}
        </Link>
      </h2>
      {isOpen && (
        <>
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
                current={here.view === 'runs' && here.app === app}
              >
                Runs
              </Link>
            </li>
          </ul>
          <div class="sets-head">
            <h3>Eval sets</h3>
            <Button text="New set" unseen={` of ${title}`} class="quiet" onClick={() => props.open(null)} />
          </div>
          {listed === undefined || listed.state === 'loading' ? <Skeleton of={`the eval sets of ${title}`} /> : null}
          <ul>
            {listed?.state === 'failed' && <li class="problem">{listed.problem}</li>}
            {listed?.state === 'there' && listed.value.length === 0 && (
              <li class="note">None yet. Make one, or put a *.evalset.json beside the agent.</li>
            )}
            {found.map((set) => (
              <li key={set.id} class="set-line">
                <Link
                  to={formatRoute({ view: 'set', app, set: set.id, search: '' })}
                  current={isHere && current.sets.includes(set.id)}
                  isExact={here.view === 'set'}
                >
                  <bdi>{breakable(set.name ?? set.id)}</bdi>
                  <Standing app={app} set={set} all={all} />
                </Link>
                <Button
                  text="⋯"
                  class="quiet"
                  aria-label={`Rename or delete ${visible(set.name ?? set.id)}`}
                  onClick={() => props.open(set)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Shows the last result of a set, or else its number of cases. */
function Standing(props: { readonly app: string; readonly set: SetSummary; readonly all: readonly SetSummary[] }) {
  const { app, set, all } = props;
  const last = lastRunOf(app, set, all);
  if (last !== undefined) return <LastVerdict last={last} />;
  return (
    <>
      <small>{set.cases === null ? '!' : set.cases.toLocaleString('en')}</small>
      <span class="unseen">{set.cases === null ? ' cannot be read' : set.cases === 1 ? ' case' : ' cases'}</span>
    </>
  );
}

function Link(props: {
  readonly to: string;
  readonly current: boolean;
  /** Whether the link leads to the very page that is shown, not to one that it belongs to. Default `true`. */
  readonly isExact?: boolean;
  readonly children: preact.ComponentChildren;
}) {
  const { to, current, isExact = true, children } = props;
  return (
    <a href={to} aria-current={current ? (isExact ? 'page' : 'true') : undefined}>
      {children}
    </a>
  );
}
