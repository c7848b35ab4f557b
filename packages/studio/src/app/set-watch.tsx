import { formatCost } from '@agent-criteria/results/text';
import { count, visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { SetWatch } from '../api.ts';
import { ask } from './api-client.ts';
import { formatRoute } from './route.ts';
import { complain } from './toasts.tsx';

/** Switches the watch on a set on and off, and shows what it has led to. */
export function SetWatchBar(props: { readonly app: string; readonly set: string; readonly watch: SetWatch }) {
  const { app, set, watch } = props;
  const { isOn, isRunning, run, changed, problem, cost, maxCost } = watch;
  const [budget, setBudget] = useState('');
  const [isBusy, setBusy] = useState(false);
  const most = budget.trim() === '' ? undefined : Number(budget);
  const isWrong = most !== undefined && !(most > 0 && Number.isFinite(most));
  const toggle = async () => {
    setBusy(true);
    try {
      if (isOn) await ask('DELETE /apps/:app/sets/:set/watch', { app, set });
      else await ask('POST /apps/:app/sets/:set/watch', { app, set, body: { maxCost: most } });
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="set-watch" aria-label="Watch">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={isOn}
        disabled={isBusy || (!isOn && isWrong)}
        onClick={() => void toggle()}
      >
        Watch
      </button>
      {!isOn && (
        <>
          <label class="budget">
            Budget
            <input
              type="text"
              inputMode="decimal"
              placeholder="no limit"
              value={budget}
              aria-invalid={isWrong}
              onInput={(event) => setBudget(event.currentTarget.value)}
            />
          </label>
          <small>
            {isWrong
              ? 'The budget must be a number above 0.'
              : 'Runs all cases, then again what a saved agent, set or config affects.'}
          </small>
        </>
      )}
      <span role="status">
        {isOn && (isRunning ? 'Running…' : 'Waiting for changes.')}
        {isOn && changed.length > 0 && (
          <>
            {' '}
            Changed: <bdi>{changed.slice(0, 3).map(visible).join(', ')}</bdi>
            {changed.length > 3 && ` and ${count(changed.length - 3, 'more file')}`}.
          </>
        )}
        {isOn && (cost > 0 || maxCost !== null) && (
          <>
            {' '}
            Spent {formatCost(cost)}
            {maxCost !== null && ` of ${formatCost(maxCost)}`}.
          </>
        )}
      </span>
      {isOn && run !== null && <a href={formatRoute({ view: 'run', run })}>Open the run</a>}
      {isOn && problem !== null && (
        <pre class="problem" dir="auto">
          {visible(problem)}
        </pre>
      )}
    </section>
  );
}
