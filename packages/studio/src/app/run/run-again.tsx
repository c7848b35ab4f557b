import type { PageIndex } from '@agent-criteria/viewer/views';
import { Button } from '../button.tsx';
import { useStudioKeys } from '../keys.ts';
import { useRunAgain } from './use-run-again.tsx';

/** Runs a whole run again, or those of its cases that did not pass. */
export function RunAgainButtons(props: {
  readonly run: string;
  readonly index: PageIndex;
  /** Whether the run was judged, so that cases can have failed. */
  readonly wasJudged: boolean;
}) {
  const { run, index, wasJudged } = props;
  const { busy, again, dialog } = useRunAgain(run);
  const failed = wasJudged ? failedCases(index) : 0;
  const runAll = () => void again({});
  useStudioKeys({ r: runAll });
  return (
    <div class="run-again">
      {failed > 0 && (
        <Button
          text={`Run what failed (${failed.toLocaleString('en')})`}
          title="Only the cases that did not pass, with the settings of this run"
          disabled={busy}
          onClick={() => void again({ scope: 'failed' })}
        />
      )}
      <Button
        text="Run again"
        class="main"
        shortcut="r"
        title="The same cases with the settings of this run, and agents, cases and configs as they are now"
        disabled={busy}
        onClick={runAll}
      />
      {dialog}
    </div>
  );
}

/** With several agents, a case fails if it failed with any of them. */
function failedCases({ cases }: PageIndex): number {
  const failed = cases.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'informational');
  return new Set(failed.map(({ set, id }) => JSON.stringify([set, id]))).size;
}
