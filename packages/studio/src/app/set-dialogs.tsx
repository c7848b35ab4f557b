import { count, visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { SetChange, SetSummary } from '../api.ts';
import { ask, isLostUpdate, messageOf } from './api-client.ts';
import { Button } from './button.tsx';
import { Confirm, FormDialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { go, route } from './router.ts';
import { loadSets } from './store.ts';
import { complain, notify, notifyDeleted } from './toasts.tsx';

/** Asks for the details of a new set for an app. */
export function NewSetDialog({ app, close }: { readonly app: string; close(): void }) {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const create = async () => {
    try {
      const body = { id, ...(name.trim() === '' ? {} : { name }) };
      const made = await ask('POST /apps/:app/sets', { app, body });
      close();
      await loadSets(app);
      go({ view: 'set', app, set: made.id, search: '' });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <FormDialog
      title={`New eval set of ${visible(app)}`}
      problem={problem}
      deed="Create"
      submit={() => void create()}
      close={close}
    >
      <Field
        label="Id"
        hint="Letters, digits and underscores: the name of its file."
        value={id}
        change={setId}
        required
      />
      <Field label="Name" hint="For people. It may be left out." value={name} change={setName} />
    </FormDialog>
  );
}

/** Lets the user rename, describe or delete a set. */
export function SetDialog(props: { readonly app: string; readonly set: SetSummary; close(): void }) {
  const { app, set, close } = props;
  const [id, setId] = useState(set.id);
  const [name, setName] = useState(set.name ?? '');
  const [description, setDescription] = useState(set.description ?? '');
  const [problem, setProblem] = useState<string>();
  const [deleting, setDeleting] = useState(false);
  const save = async (body: SetChange, version: string | null, of = set.id) => {
    const saved = await ask('PATCH /apps/:app/sets/:set', { app, set: of, body, seen: version ?? '*' });
    await loadSets(app);
    const here = route.value;
    if ('set' in here && here.app === app && here.set === set.id) go({ ...here, set: saved.id }, 'instead');
    return saved;
  };
  const submit = async () => {
    const before = { name: set.name ?? '', description: set.description ?? '' };
    const change = {
      ...(id === set.id ? {} : { id }),
      ...(name === before.name ? {} : { name }),
      ...(description === before.description ? {} : { description }),
    };
    try {
      const saved = await save(change, set.version);
      close();
      const undo = { name: 'Undo', run: () => void back(saved).catch(complain) };
      const back = (now: SetSummary) => save({ id: set.id, ...before }, now.version, now.id);
      notify(`Saved “${visible(saved.name ?? saved.id)}”.`, undo);
    } catch (error) {
      setProblem(messageOf(error));
      if (isLostUpdate(error)) await loadSets(app);
    }
  };
  const remove = async () => {
    try {
      const deleted = await ask('DELETE /apps/:app/sets/:set', { app, set: set.id, seen: set.version ?? undefined });
      close();
      notifyDeleted(visible(set.file), deleted, (back) => go({ view: 'set', app, set: back.set, search: '' }));
      const here = route.value;
      if ('set' in here && here.app === app && here.set === set.id) go({ view: 'app', app });
      await loadSets(app);
    } catch (error) {
      complain(error);
    }
  };
  if (deleting) {
    return (
      <Confirm
        title={`Delete “${visible(set.name ?? set.id)}”?`}
        deed="Delete the file"
        run={() => void remove()}
        close={() => setDeleting(false)}
      >
        <p>
          The file <code>{visible(set.file)}</code>
          {set.cases !== null && ` with ${count(set.cases, 'case')}`} is deleted. It can be brought back, as it was,
          until the studio ends. Past runs stay.
        </p>
      </Confirm>
    );
  }
  return (
    <FormDialog
      title="Eval set"
      problem={problem}
      deed="Save"
      ready={set.editable}
      submit={() => void submit()}
      close={close}
      aside={<Button text="Delete…" class="danger" onClick={() => setDeleting(true)} />}
    >
      <Field
        label="Id"
        hint={`Renames the file, now ${visible(set.file)}.`}
        value={id}
        change={setId}
        required
        disabled={!set.editable}
      />
      <Field label="Name" value={name} change={setName} disabled={!set.editable} />
      <Field label="Description" value={description} change={setDescription} lines={3} disabled={!set.editable} />
      {!set.editable && <p class="note">This file can be shown and run, but not edited here: it holds JSON Lines.</p>}
    </FormDialog>
  );
}
