import { verdictGroups } from '@agent-criteria/analysis/text';
import { runFactsText } from '@agent-criteria/results/text';
import { visible } from '@agent-criteria/viewer/views';
import { useAnswer } from '../answer.tsx';
import { compareRoute, formatRoute } from '../route.ts';

/** The most cases to name of each kind. */
const NAMED = 5;

/** Lists the verdicts that changed since the run before, with links that compare the two. Nothing without a run before. */
export function SinceRunBefore({ run }: { readonly run: string }) {
  const found = useAnswer('GET /runs/:run/since', { run });
  if (found.state !== 'there' || found.value === null) return null;
  const { run: before, changes } = found.value;
  const compare = compareRoute(before, run);
  const manySets = new Set(changes.map(({ setId }) => setId)).size > 1;
  return (
    <section class="since" aria-label="Since the run before">
      <p>
        <span>
          Since <a href={formatRoute({ view: 'run', run: before })}>the run before</a>{' '}
          <span class="note">
            <bdi>{visible(before)}</bdi>, <bdi>{visible(runFactsText(found.value, Date.now()))}</bdi>
          </span>
        </span>
        <a href={formatRoute(compare)}>Compare</a>
      </p>
      <p>
        {changes.length === 0 && <span class="note">No verdict changed.</span>}
        {verdictGroups(changes).map(({ text, changes: all }) => (
          <span key={text}>
            <b>{text}</b>{' '}
            {all.slice(0, NAMED).map(({ setId, caseId, variant = null }, index) => (
              <span key={JSON.stringify([setId, caseId, variant])}>
                {index > 0 && ', '}
                <a
                  href={formatRoute({
                    ...compare,
                    opened: { set: setId, id: caseId, before: variant, now: variant },
                  })}
                >
                  <bdi>
                    {visible(`${manySets ? `${setId}: ` : ''}${caseId}${variant === null ? '' : ` (${variant})`}`)}
                  </bdi>
                </a>
              </span>
            ))}
            {all.length > NAMED && ` and ${(all.length - NAMED).toLocaleString('en')} more`}
          </span>
        ))}
      </p>
    </section>
  );
}
