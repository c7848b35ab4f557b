import type { RunDetail } from '../api.ts';
import { pinOf } from './pinned.ts';
import { compareRoute, formatRoute } from './route.ts';

/** Where a run leads: to labels of what a judge said of it, and to what changed since the baseline. */
export function RunLinks(props: { readonly run: string; readonly known: Pick<RunDetail, 'app' | 'judged' | 'state'> }) {
  const { run, known } = props;
  const baseline = pinOf(known.app);
  return (
    <nav class="above run-links" aria-label="With this run">
      {known.judged && (
        <a href={formatRoute({ view: 'label', run, criterion: null, rubric: null, whole: false })}>
          Check the judge: label its answers
        </a>
      )}
      {baseline !== null && baseline !== run && known.state === 'finished' && (
        <a href={formatRoute(compareRoute(baseline, run))}>Compare with the baseline</a>
      )}
      {baseline === run && <b>Baseline</b>}
    </nav>
  );
}
