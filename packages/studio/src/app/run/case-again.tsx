import type { Remedies } from '@agent-criteria/viewer/run-views';
import { useContext, useState } from 'preact/hooks';
import type { RunSetPlace } from '../../api.ts';
import { addressOf } from '../api-client.ts';
import { Button } from '../button.tsx';
import { hasUnsavedEdits } from '../case/unsaved.ts';
import { useStudioKeys } from '../keys.ts';
import { RunContext } from '../run-context.ts';
import { useRunAgain } from './use-run-again.tsx';

/** Runs one case of a run again, as often as wanted. */
export function CaseAgain({ one, set }: Remedies) {
  const { run, app, info, places, isOver } = useContext(RunContext);
  const { busy, again, dialog } = useRunAgain(run);
  const [times, setTimes] = useState(info?.repeats ?? 1);
  const isValid = Number.isInteger(times) && times >= 1;
  const isOffered = set !== undefined && info !== null && app !== null && isOver;
  const runCase = () => {
    if (!isOffered || !isValid) return;
    // A case that stops early keeps doing so, unless a number is chosen.
    const repeats = times === info.repeats ? {} : { repeats: times };
    void again({ only: { set: set.id, case: one.result.caseId }, ...repeats });
  };
  useStudioKeys({ r: runCase });
  if (!isOffered) return null;
  const place = places.find(({ runSet }) => runSet === set.id);
  const isUnsaved = place !== undefined && hasUnsavedEdits(addressOfCase(place, one.result.caseId));
  return (
    <div class="run-again case-again">
      {isUnsaved && <span class="note">The editor has unsaved edits of this case, which would not run.</span>}
      <label>
        Times{' '}
        <input
          type="number"
          min={1}
          max={10_000}
          step={1}
          value={times}
          aria-invalid={!isValid}
          onInput={({ currentTarget }) => setTimes(currentTarget.valueAsNumber)}
        />
      </label>
      <Button
        text={isUnsaved ? 'Run the saved case again' : 'Run this case again'}
        class="main"
        shortcut="r"
        title="With the settings of this run"
        disabled={busy || !isValid}
        onClick={runCase}
      />
      {dialog}
    </div>
  );
}

function addressOfCase({ app, set }: RunSetPlace, caseId: string): string {
  return addressOf('GET /apps/:app/sets/:set/cases/:case', { app, set, case: caseId });
}
