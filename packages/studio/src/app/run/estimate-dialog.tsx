import type { RunEstimate } from '../../api.ts';
import { FormDialog } from '../dialog.tsx';
import { RunEstimated } from './run-estimate.tsx';

/** Shows what a run would ask of models, before it starts. */
export function EstimateDialog(props: {
  readonly estimate: RunEstimate;
  readonly busy: boolean;
  start(): void;
  close(): void;
}) {
  const { estimate, busy, start, close } = props;
  return (
    <FormDialog title="Run again?" deed={busy ? 'Starting…' : 'Run'} ready={!busy} submit={start} close={close}>
      <RunEstimated estimate={estimate} />
    </FormDialog>
  );
}
