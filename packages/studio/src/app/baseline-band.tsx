import { localTime, VERDICT_WORDS, VerdictIcon, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { RunDetail } from '../api.ts';
import { ask, path } from './api-client.ts';
import { pin } from './pinned.ts';
import { formatRoute } from './route.ts';
import { type Loaded, loaded } from './store.ts';

function verdictOf({ outcome, summary }: RunDetail) {
  return outcome?.verdict ?? summary.verdict;
}

/** The run that others of an app are compared with, above their list. */
export function BaselineBand({ app, run }: { readonly app: string; readonly run: string }) {
  const [found, setFound] = useState<Loaded<RunDetail>>({ state: 'loading' });
  useEffect(() => {
    let over = false;
    setFound({ state: 'loading' });
    void loaded(() => ask<RunDetail>('GET', path('runs', run))).then((next) => {
      if (!over) setFound(next);
    });
    return () => {
      over = true;
    };
  }, [run]);
  return (
    <section class="baseline-band" aria-label="Baseline">
      <p>
        <b>Baseline</b>{' '}
        {found.state === 'failed' ? (
          <span class="problem">{found.problem}</span>
        ) : (
          <>
            <a href={formatRoute({ view: 'run', run })}>
              <code>{visible(run)}</code>
            </a>
            {found.state === 'there' && (
              <span>
                {' '}
                <VerdictIcon verdict={verdictOf(found.value)} /> {VERDICT_WORDS[verdictOf(found.value)]},{' '}
                {localTime(found.value.info.startedAt)}
              </span>
            )}
          </>
        )}{' '}
        <button type="button" class="quiet" onClick={() => pin(app, null)}>
          Unpin
        </button>
      </p>
      <p class="note">
        Pinned in this browser. To keep it for everybody:{' '}
        <code>npx agent-criteria baseline set {visible(run)} --output baseline.json</code>
      </p>
    </section>
  );
}
