import { count, localTime, VERDICT_WORDS, VerdictIcon } from '@agent-criteria/viewer/views';
import type { LastRun, SetSummary } from '../api.ts';
import { lastRuns } from './store.ts';

const ORDER = ['passed', 'failed', 'error', 'not-evaluated', 'informational'] as const;

/** Returns the last run of a set of an app, if it is known. */
export function lastRunOf(app: string, set: SetSummary, all: readonly SetSummary[]): LastRun | undefined {
  // Runs cannot distinguish between two files whose sets have the same id.
  const isAlone = all.filter(({ evalSetId }) => evalSetId === set.evalSetId).length === 1;
  if (!isAlone || set.cases === null) return undefined;
  return lastRuns.value?.find((one) => one.app === app && one.evalSetId === set.evalSetId);
}

/** Shows the result of the last run of an eval set. */
export function LastVerdict({ last }: { readonly last: LastRun }) {
  const { verdict, verdicts, total, startedAt } = last;
  const counts = ORDER.filter((one) => verdicts[one] > 0).map(
    (one) => `${verdicts[one].toLocaleString('en')} ${VERDICT_WORDS[one].toLowerCase()}`,
  );
  const when = localTime(startedAt);
  const words = `Last run, ${when}: ${count(total, 'case')}, ${counts.join(', ')}`;
  return (
    <small class="last-verdict" title={words}>
      <VerdictIcon verdict={verdict} />
      <span aria-hidden="true">
        {verdicts.passed.toLocaleString('en')}/{total.toLocaleString('en')}
      </span>
      <span class="unseen">{words}</span>
    </small>
  );
}
