import type { TurnToolsProps } from '@agent-criteria/viewer/run-views';
import { useContext, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { lazy } from '../lazy.tsx';
import { loadStyle } from '../load-style.ts';
import { RunContext } from '../run-context.ts';

/** Needed only once it is opened. */
export const TurnRunDialog = lazy(async () => {
  await loadStyle('turn-run');
  return (await import('./turn-run-dialog.tsx')).TurnRunDialog;
}, null);

/** Runs one turn of a case of a run again. */
export function TurnAgain({ one, repeat, turn }: TurnToolsProps) {
  const { run, app, isOver } = useContext(RunContext);
  const [isOpen, setOpen] = useState(false);
  if (app === null || !isOver) return null;
  const { setId: set, variant, evalCase } = one;
  return (
    <>
      <Button
        text="Run this turn again…"
        unseen={` (turn ${turn + 1})`}
        class="quiet turn-again"
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <TurnRunDialog of={{ run, set, case: evalCase.evalId, variant, repeat, turn }} close={() => setOpen(false)} />
      )}
    </>
  );
}
