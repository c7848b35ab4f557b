import { type RunUsage, usageRoles } from '@agent-criteria/results';
import { timing } from '@agent-criteria/results/text';
import { useEffect, useState } from 'preact/hooks';
import { count } from './format.ts';
import { isPending } from './is-pending.ts';
import type { RunningProps } from './overview-props.ts';
import { CASE_VERDICTS, VERDICT_WORDS, VerdictBadge } from './verdict.tsx';

/** The head of a run in flight: how far it is, and how long it will take. It has no verdict before the run has ended. */
export function Running(props: RunningProps) {
  const { index, progress } = props;
  const { done, total } = progress;
  const now = useNow();
  const counts = CASE_VERDICTS.filter((verdict) => !isPending(verdict)).map((verdict) => ({
    verdict,
    cases: index.cases.filter((row) => row.verdict === verdict).length,
  }));
  const told = counts.filter(({ cases }) => cases > 0);
  const finished = counts.reduce((sum, { cases }) => sum + cases, 0) * index.info.repeats;
  const words = told.map(
    ({ verdict, cases }) => `${cases.toLocaleString('en')} ${VERDICT_WORDS[verdict].toLowerCase()}`,
  );
  const noun = total === index.cases.length ? 'case' : 'conversation';
  return (
    <>
      <p class="outcome">
        <VerdictBadge verdict="running" large />
        <span>
          {done.toLocaleString('en')} of {index.info.auto && 'up to '}
          {count(total, noun)} done
          {words.length > 0 && `: ${words.join(', ')}`}
        </span>
      </p>
      <div
        class="proportions"
        role="progressbar"
        aria-label={`${noun === 'case' ? 'Cases' : 'Conversations'} done`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        {told.map(({ verdict, cases }) => (
          <span key={verdict} class={verdict} style={{ flexGrow: cases * index.info.repeats }} />
        ))}
        {done > finished && <span class="running" style={{ flexGrow: done - finished }} />}
        {total > done && <i style={{ flexGrow: total - Math.max(done, finished) }} />}
      </div>
      <p class="timing">
        {timing({ ...progress, isCancelled: progress.cancelled !== undefined }, now, costOf(index.usage)).join(' · ')}
      </p>
    </>
  );
}

/** Returns the known cost of all calls, or `null` if none is known. */
function costOf(usage: RunUsage): number | null {
  const known = usageRoles.flatMap((role) => usage[role]?.cost ?? []);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** Returns the current time, updated every second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
