import { visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { RunDetail } from '../api.ts';
import { ask, path } from './api-client.ts';
import type { Route } from './route.ts';
import { Counts, localTime } from './run-history.tsx';
import { LOADING, type Loaded, loaded } from './store.ts';
import { View } from './view.tsx';

/** Two runs beside each other, by their counts alone. */
export function ComparePage({ route }: { readonly route: Extract<Route, { view: 'compare' }> }) {
  const [runs, setRuns] = useState<readonly Loaded<RunDetail>[]>([LOADING, LOADING]);
  useEffect(() => {
    void Promise.all(route.runs.map((id) => loaded(() => ask<RunDetail>('GET', path('runs', id))))).then(setRuns);
  }, [route.runs.join(' ')]);
  return (
    <View title="Two runs" above={<a href="#/runs">Runs</a>}>
      <p class="banner informational">
        Comparing two runs case by case comes later. Until then, these are their counts: whether a difference is more
        than chance, they do not say.
      </p>
      <ul class="cards">
        {runs.map((run, at) => (
          <li key={at} class="card">
            <h2>
              <a href={`#/runs/${encodeURIComponent(route.runs[at] ?? '')}`}>{visible(route.runs[at] ?? '')}</a>
            </h2>
            {run.state === 'failed' && <p class="problem">{run.problem}</p>}
            {run.state === 'there' && (
              <>
                <p class="note">
                  <bdi>{visible(run.value.info.agent)}</bdi>, {localTime(run.value.info.startedAt)}
                </p>
                <Counts run={run.value} />
              </>
            )}
          </li>
        ))}
      </ul>
    </View>
  );
}
