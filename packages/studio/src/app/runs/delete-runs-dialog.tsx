import { count, Time, visible } from '@agent-criteria/viewer/views';
import type { RunSummary } from '../../api.ts';
import { Button } from '../button.tsx';
import { Confirm, Dialog } from '../dialog.tsx';
import { pinOf } from '../pinned.ts';
import { lossesOf } from './losses.ts';

/** Runs that are named one by one. */
const NAMED = 8;

/** Says what is lost with these runs before they are deleted. */
export function DeleteRunsDialog(props: {
  readonly runs: readonly RunSummary[];
  run(deletable: readonly RunSummary[]): void;
  close(): void;
}) {
  const { runs, close } = props;
  const { deletable, staying, cases, labelled, baselines } = lossesOf(runs, pinOf);
  const stays = staying.length > 0 && (
    <p>
      {staying.length === 1 ? 'A run is' : `${count(staying.length, 'run')} are`} under way and{' '}
      {staying.length === 1 ? 'stays' : 'stay'}. Stop {staying.length === 1 ? 'it' : 'them'} first.
    </p>
  );
  if (deletable.length === 0) {
    return (
      <Dialog title="Nothing to delete" close={close}>
        {stays}
        <div class="buttons">
          <Button text="Close" onClick={close} />
        </div>
      </Dialog>
    );
  }
  const what = deletable.length === 1 ? 'the run' : count(deletable.length, 'run');
  return (
    <Confirm title={`Delete ${what}?`} deed={`Delete ${what}`} run={() => props.run(deletable)} close={close}>
      <ul class="lost-runs">
        {deletable.slice(0, NAMED).map((run) => (
          <li key={run.id}>
            <bdi>{visible(run.name ?? run.sets.join(', '))}</bdi> <code>{visible(run.id)}</code>{' '}
            <small>
              <Time at={run.startedAt} />, {count(run.summary?.total ?? run.units.finished, 'case')}
            </small>
          </li>
        ))}
        {deletable.length > NAMED && <li>and {(deletable.length - NAMED).toLocaleString('en')} more</li>}
      </ul>
      <p>
        <b>This cannot be undone.</b> The answers, traces, scores and verdicts of {count(cases, 'case')} are lost
        {labelled.length > 0 &&
          `, and the labels that people gave in ${labelled.length === 1 ? 'one run' : count(labelled.length, 'run')}`}
        . Eval sets and ADK’s own history stay.
      </p>
      {baselines.length > 0 && (
        <p>
          {baselines.length === 1 ? 'One is' : `${baselines.length} are`} pinned as baseline in this browser, and will
          be no more: {baselines.map(({ name, id }) => visible(name ?? id)).join(', ')}.
        </p>
      )}
      {stays}
    </Confirm>
  );
}
