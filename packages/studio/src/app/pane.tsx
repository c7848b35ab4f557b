import { visible } from '@agent-criteria/viewer/views';
import type { ComponentChildren } from 'preact';
import { AppPage } from './app-page.tsx';
import { lazy } from './lazy.tsx';
import { loadStyle } from './load-style.ts';
import type { Route } from './route.ts';
import { StartPage } from './start-page.tsx';
import { unknownIn } from './unknown-in.ts';
import { View } from './view.tsx';

const CasePage = lazy(async () => (await import('./case/case-page.tsx')).CasePage);
const ChatView = lazy(async () => (await import('./chat/chat-view.tsx')).ChatView);
const ComparePage = lazy(async () => (await import('./compare-page.tsx')).ComparePage);
const ImportPage = lazy(async () => {
  await loadStyle('import');
  return (await import('./import/import-page.tsx')).ImportPage;
});
const LabelPage = lazy(async () => (await import('./label/label-page.tsx')).LabelPage);
const MatrixPage = lazy(async () => {
  await loadStyle('matrix');
  return (await import('./matrix/matrix-page.tsx')).MatrixPage;
});
const RunDialog = lazy(async () => (await import('./run/run-dialog.tsx')).RunDialog);
const RunHistory = lazy(async () => {
  await loadStyle('runs');
  return (await import('./run-history.tsx')).RunHistory;
});
const RunPage = lazy(async () => (await import('./run-page.tsx')).RunPage);
const SetPage = lazy(async () => (await import('./set-page.tsx')).SetPage);
const UnknownPlace = lazy(async () => (await import('./unknown-place.tsx')).UnknownPlace);
const TrendsPage = lazy(async () => (await import('./trends/trends-page.tsx')).TrendsPage);
const TurnRunPage = lazy(async () => {
  await loadStyle('turn-run');
  return (await import('./turn-run/turn-run-page.tsx')).TurnRunPage;
});

/** Returns the view for a route. Rarely used views are loaded lazily. */
export function pane(route: Route): ComponentChildren {
  const unknown = unknownIn(route);
  if (unknown !== null) return <UnknownPlace unknown={unknown} />;
  switch (route.view) {
    case 'start':
      return <StartPage />;
    case 'import':
      return <ImportPage />;
    case 'app':
      return <AppPage app={route.app} />;
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
