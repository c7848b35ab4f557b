import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { RunAgain } from '../../api.ts';
import { ask } from '../api-client.ts';
import { formatRoute } from '../route.ts';
import { complain } from '../toasts.tsx';
import type { EstimateDialog } from './estimate-dialog.tsx';

interface RunningAgain {
  readonly busy: boolean;
  /** Starts a run like this one and opens it. If it would ask models, shows the estimate first. */
  again(asked: RunAgain): Promise<void>;
  /** The dialog with the estimate, if it is open. */
  readonly dialog: ComponentChildren;
}

/** A run that would ask models. Most runs need no dialog, so it is loaded only then. */
interface Paid extends Pick<ComponentProps<typeof EstimateDialog>, 'estimate'> {
  readonly asked: RunAgain;
  readonly Dialog: typeof EstimateDialog;
}

/** Runs cases of a run again, with the settings of that run. */
export function useRunAgain(run: string): RunningAgain {
  const [busy, setBusy] = useState(false);
  const [paid, setPaid] = useState<Paid | null>(null);
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
      if (calls !== null && calls.max === 0) return start(asked);
      const { EstimateDialog: Dialog } = await import('./estimate-dialog.tsx');
      setPaid({ asked, estimate, Dialog });
    });
  const dialog = paid !== null && (
    <paid.Dialog
      estimate={paid.estimate}
      busy={busy}
      start={() => void attempt(() => start(paid.asked))}
      close={() => setPaid(null)}
    />
  );
  return { busy, again, dialog };
}
