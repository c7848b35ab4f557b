import { visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { RunSummary } from '../../api.ts';
import { ask, messageOf } from '../api-client.ts';
import { FormDialog } from '../dialog.tsx';
import { Field } from '../field.tsx';

/** Gives a run a name, another one, or none. */
export function RunNameDialog(props: {
  readonly run: RunSummary;
  /** Called with the run under its new name. */
  renamed(run: RunSummary): void;
  close(): void;
}) {
  const { run, renamed, close } = props;
  const [name, setName] = useState(run.name ?? '');
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    try {
      const body = { name: name.trim() === '' ? null : name.trim() };
      renamed(await ask('PATCH /runs/:run', { run: run.id, body }));
      close();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <FormDialog
      title={run.name === undefined ? 'Name the run' : 'Rename the run'}
      problem={problem}
      deed="Save"
      submit={() => void save()}
      close={close}
    >
      <p class="note">
        <code>{visible(run.id)}</code>
      </p>
      <Field
        label="Name"
        hint="Commands know it, too: agent-criteria compare NAME. Without a name, its eval sets are shown."
        value={name}
        change={setName}
      />
    </FormDialog>
  );
}
