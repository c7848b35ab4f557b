import { count, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { SetTrends } from '../../api.ts';
import { ask, path } from '../api-client.ts';
import { formatRoute, type Route } from '../route.ts';
import { LOADING, type Loaded, loaded } from '../store.ts';
import { View } from '../view.tsx';
import { TrendChart } from './trend-chart.tsx';

/** How the numbers of a set went from run to run. */
export function TrendsPage({ route }: { readonly route: Extract<Route, { view: 'trends' }> }) {
  const { app, set } = route;
  const [found, setFound] = useState<Loaded<SetTrends>>(LOADING);
  useEffect(() => {
    let over = false;
    setFound(LOADING);
    void loaded(() => ask<SetTrends>('GET', path('apps', app, 'sets', set, 'trends'))).then((next) => {
      if (!over) setFound(next);
    });
    return () => {
      over = true;
    };
  }, [app, set]);
  return (
    <View
      title={`Trends of ${visible(set)}`}
      above={
        <>
          <a href={formatRoute({ view: 'runs', app, chosen: [] })}>Runs of {visible(app)}</a> /{' '}
          <a href={formatRoute({ view: 'set', app, set, search: '' })}>{visible(set)}</a>
        </>
      }
    >
      {found.state === 'loading' && <p class="note">Reading the runs…</p>}
      {found.state === 'failed' && (
        <p class="problem" role="alert">
          {found.problem}
        </p>
      )}
      {found.state === 'there' && <Charts found={found.value} />}
    </View>
  );
}

function Charts({ found }: { readonly found: SetTrends }) {
  const { trends, runs, left, older } = found;
  const deciding = trends.filter(({ decides }) => decides);
  const measured = trends.filter(({ decides }) => !decides);
  return (
    <>
      <p class="note">
        {runs === 0 ? 'No finished run of the whole set yet.' : `${count(runs, 'run')}${older ? ', the newest' : ''}.`}{' '}
        {left.length > 0 && `Left out: ${left.map((one) => `${one.runs} ${one.why}`).join(', ')}.`}{' '}
        {runs > 0 &&
          'The band is the 95% interval of each run: runs whose bands overlap widely may differ by chance alone.'}
      </p>
      {deciding.length > 0 && <h2 class="unseen">What decides</h2>}
      {deciding.map((trend) => (
        <TrendChart key={`${trend.name} ${trend.variant}`} trend={trend} />
      ))}
      {measured.length > 0 && <h2>Only measured</h2>}
      {measured.map((trend) => (
        <TrendChart key={`${trend.name} ${trend.variant}`} trend={trend} />
      ))}
    </>
  );
}
