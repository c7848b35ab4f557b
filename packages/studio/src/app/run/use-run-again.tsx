import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RunAgain, RunEstimate } from '../../api.ts';
import { ask } from '../api-client.ts';
import { FormDialog } from '../dialog.tsx';
import { formatRoute } from '../route.ts';
import { complain } from '../toasts.tsx';
import { RunEstimated } from './run-estimate.tsx';

interface RunningAgain {
  readonly busy: boolean;
  /** Starts a run like this one and opens it. If it would ask models, shows the estimate first. */
  again(asked: RunAgain): Promise<void>;
  /** The dialog with the estimate, if it is open. */
  readonly dialog: ComponentChildren;
}

/** Runs cases of a run again, with the settings of that run. */
export function useRunAgain(run: string): RunningAgain {
  const [busy, setBusy] = useState(false);
  const [paid, setPaid] = useState<{ readonly asked: RunAgain; readonly estimate: RunEstimate } | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      complain(error);
    } finally {
      setBusy(false);
    }
  };
  const start = async (body: RunAgain) => {
    const { id } = await ask('POST /runs/:run/again', { run, body });
    location.hash = `${formatRoute({ view: 'run', run: id })}/`;
  };
  const again = (asked: RunAgain) =>
    attempt(async () => {
      const estimate = await ask('POST /runs/:run/again/estimate', { run, body: asked });
      const { calls } = estimate.total;
      if (calls === null || calls.max > 0) setPaid({ asked, estimate });
      else await start(asked);
    });
  const dialog = paid !== null && (
    <FormDialog
      title="Run again?"
      deed={busy ? 'Starting…' : 'Run'}
      ready={!busy}
      submit={() => void attempt(() => start(paid.asked))}
      close={() => setPaid(null)}
    >
      <RunEstimated estimate={paid.estimate} />
    </FormDialog>
  );
  return { busy, again, dialog };
}
