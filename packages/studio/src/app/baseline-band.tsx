import { localTime, VERDICT_WORDS, VerdictIcon, visible } from '@agent-criteria/viewer/views';
import type { RunDetail } from '../api.ts';
import { useAnswer } from './answer.tsx';
import { pin } from './pinned.ts';
import { formatRoute } from './route.ts';

function verdictOf({ outcome, summary }: RunDetail) {
  return outcome?.verdict ?? summary.verdict;
}

/** The pinned run that other runs of the app are compared with, above their list. */
export function BaselineBand({ app, run }: { readonly app: string; readonly run: string }) {
  const found = useAnswer('GET /runs/:run', { run });
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
