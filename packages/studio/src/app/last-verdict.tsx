import { count, VERDICT_WORDS, VerdictIcon } from '@agent-criteria/viewer/views';
import type { LastRun } from '../api.ts';

const ORDER = ['passed', 'failed', 'error', 'not-evaluated', 'informational'] as const;

/** What an eval set came to when it ran last. */
export function LastVerdict({ last }: { readonly last: LastRun }) {
  const { verdict, verdicts, total, startedAt } = last;
  const counts = ORDER.filter((one) => verdicts[one] > 0).map(
    (one) => `${verdicts[one].toLocaleString('en')} ${VERDICT_WORDS[one].toLowerCase()}`,
  );
  const when = new Date(startedAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
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
