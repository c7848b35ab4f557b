import { count, visible } from '@agent-criteria/viewer/views';
import type { SetTrends } from '../../api.ts';
import { Answered, useAnswer } from '../answer.tsx';
import { formatRoute, type Route } from '../route.ts';
import { View } from '../view.tsx';
import { TrendChart } from './trend-chart.tsx';

/** Shows the metrics of a set from run to run. */
export function TrendsPage({ route }: { readonly route: Extract<Route, { view: 'trends' }> }) {
  const { app, set } = route;
  const found = useAnswer('GET /apps/:app/sets/:set/trends', { app, set });
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
      <Answered found={found} waiting="Reading the runs…">
        {(trends) => <Charts found={trends} />}
      </Answered>
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
