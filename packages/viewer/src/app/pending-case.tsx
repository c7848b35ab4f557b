import type { Pending } from '../page-data.ts';
import { VerdictBadge } from './verdict.tsx';

/** Shown instead of a case's details as long as nothing of the case is recorded. */
export function PendingCase({ verdict }: { readonly verdict: Pending }) {
  return (
    <div class={`why ${verdict}`}>
      <VerdictBadge verdict={verdict} />
      <p>{PENDING_WORDS[verdict]}</p>
    </div>
  );
}

const PENDING_WORDS = {
  waiting: 'This case has not begun yet.',
  running: 'The agent is working on this case. What it did is shown when it has finished.',
} as const;
