import { count, visible } from '@agent-criteria/viewer/views';
import type { ComponentChildren } from 'preact';
import { Answered } from './answer.tsx';
import { lazy } from './lazy.tsx';
import { loadStyle } from './load-style.ts';
import { formatRoute, type Route } from './route.ts';
import { RunHistory } from './run-history.tsx';
import { SetPage } from './set-page.tsx';
import { info, setsOf } from './store.ts';
import { View } from './view.tsx';

const CasePage = lazy(async () => (await import('./case/case-page.tsx')).CasePage);
const ChatView = lazy(async () => (await import('./chat/chat-view.tsx')).ChatView);
const ComparePage = lazy(async () => (await import('./compare-page.tsx')).ComparePage);
const LabelPage = lazy(async () => (await import('./label/label-page.tsx')).LabelPage);
const MatrixPage = lazy(async () => {
  await loadStyle('matrix');
  return (await import('./matrix/matrix-page.tsx')).MatrixPage;
});
const RunDialog = lazy(async () => (await import('./run/run-dialog.tsx')).RunDialog);
const RunPage = lazy(async () => (await import('./run-page.tsx')).RunPage);
const TrendsPage = lazy(async () => (await import('./trends/trends-page.tsx')).TrendsPage);
const TurnRunPage = lazy(async () => {
  await loadStyle('turn-run');
  return (await import('./turn-run/turn-run-page.tsx')).TurnRunPage;
});

/** Returns the view for a route. Rarely used views are loaded lazily. */
export function pane(route: Route): ComponentChildren {
  switch (route.view) {
    case 'start':
      return <Start />;
    case 'app':
      return <App app={route.app} />;
    case 'set':
      return <SetPage route={route} />;
    case 'case':
      return <CasePage route={route} />;
    case 'trends':
      return <TrendsPage route={route} />;
    case 'run-dialog':
      return <RunDialog route={route} />;
    case 'runs':
      return <RunHistory route={route} />;
    case 'run':
      return <RunPage key={route.run} route={route} />;
    case 'compare':
      return <ComparePage route={route} />;
    case 'matrix':
      return <MatrixPage route={route} />;
    case 'turn-run':
      return <TurnRunPage key={route.turnRun} route={route} />;
    case 'label':
      return <LabelPage route={route} />;
    case 'chat':
      return <ChatView app={route.app} session={route.session} />;
    case 'nowhere':
      return (
        <View title="There is nothing here">
          <p>
            No view has the address <code>{visible(route.hash)}</code>. <a href="#/">Go to the start.</a>
          </p>
        </View>
      );
  }
}

function Start() {
  const { value } = info;
  return (
    <View title="Agents">
      <Answered found={value} waiting="Reading the folder…">
        {({ apps }) => (
          <ul class="cards">
            {apps.map(({ name, hasAgent }) => (
              <li key={name}>
                <App app={name} hasAgent={hasAgent} card />
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </View>
  );
}

function App({
  app,
  hasAgent,
  card = false,
}: {
  readonly app: string;
  readonly hasAgent?: boolean;
  readonly card?: boolean;
}) {
  const sets = setsOf(app);
  const known = info.value.state === 'there' ? info.value.value.apps.find(({ name }) => name === app) : undefined;
  const canRun = hasAgent ?? known?.hasAgent ?? false;
  const body = (
    <>
      <p class="note">
        {canRun ? 'An agent that can be talked to and evaluated.' : 'Eval sets without an agent: they can be edited.'}
      </p>
      <p class="links">
        {canRun && <a href={formatRoute({ view: 'chat', app, session: null })}>Chat</a>}
        <a href={formatRoute({ view: 'runs', app, chosen: [] })}>Runs</a>
      </p>
      {sets !== undefined && (
        <ul class="links sets">
          {sets.map(({ id, name, cases, problem }) => (
            <li key={id}>
              <a href={formatRoute({ view: 'set', app, set: id, search: '' })}>
                <bdi>{visible(name ?? id)}</bdi>
              </a>{' '}
              <small>{cases === null ? 'cannot be read' : count(cases, 'case')}</small>
              {problem !== undefined && <p class="problem">{problem}</p>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
  if (card) {
    return (
      <section class="card">
        <h2>
          <a href={formatRoute({ view: 'app', app })}>
            <bdi>{visible(app)}</bdi>
          </a>
        </h2>
        {body}
      </section>
    );
  }
  if (info.value.state === 'there' && known === undefined) {
    return (
      <View title="No such agent">
        <p>
          This studio has no agent “{visible(app)}”. <a href="#/">See all.</a>
        </p>
      </View>
    );
  }
  return <View title={visible(app)}>{body}</View>;
}
