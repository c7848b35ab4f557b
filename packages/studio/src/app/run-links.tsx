import { useEffect, useState } from 'preact/hooks';
import type { RunDetail } from '../api.ts';
import { ask, path } from './api-client.ts';
import { pinOf } from './pinned.ts';
import { compareRoute, formatRoute } from './route.ts';

/** Where a run leads: to labels of what a judge said of it, and to what changed since the baseline. */
export function RunLinks({ run }: { readonly run: string }) {
  const [detail, setDetail] = useState<RunDetail | null>(null);
  useEffect(() => {
    let over = false;
    setDetail(null);
    // Without an answer there is nothing to lead to, and the page says why.
    ask<RunDetail>('GET', path('runs', run)).then(
      (found) => !over && setDetail(found),
      () => undefined,
    );
    return () => {
      over = true;
    };
  }, [run]);
  if (detail === null) return null;
  const { app, judged, state } = detail;
  const baseline = pinOf(app);
  return (
    <nav class="above run-links" aria-label="With this run">
      {judged && (
        <a href={formatRoute({ view: 'label', run, criterion: null, rubric: null, whole: false })}>
          Check the judge: label its answers
        </a>
      )}
      {baseline !== null && baseline !== run && state === 'finished' && (
        <a href={formatRoute(compareRoute(baseline, run))}>Compare with the baseline</a>
      )}
      {baseline === run && <b>Baseline</b>}
    </nav>
  );
}
