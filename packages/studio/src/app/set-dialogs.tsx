import { count, visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { Deleted, SetSummary } from '../api.ts';
import { ask, isLostUpdate, messageOf, path } from './api-client.ts';
import { Confirm, Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { go, route } from './router.ts';
import { loadSets } from './store.ts';
import { complain, notify } from './toasts.tsx';
import { notifyDeleted } from './undo-change.ts';

/** A new set of an app. */
export function NewSetDialog({ app, close }: { readonly app: string; close(): void }) {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const create = async () => {
    try {
      const made = await ask<SetSummary>('POST', path('apps', app, 'sets'), {
        body: { id, ...(name.trim() === '' ? {} : { name }) },
      });
      close();
      await loadSets(app);
      go({ view: 'set', app, set: made.id, search: '' });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title={`New eval set of ${visible(app)}`} close={close}>
      <form onSubmit={(event) => submitted(event, create)}>
        <Field
          label="Id"
          hint="Letters, digits and underscores: the name of its file."
          value={id}
          change={setId}
          required
        />
        <Field label="Name" hint="For people. It may be left out." value={name} change={setName} />
        <Buttons problem={problem} close={close} deed="Create" />
      </form>
    </Dialog>
  );
}

/** The id, the name and the description of a set, and its end. */
export function SetDialog(props: { readonly app: string; readonly set: SetSummary; close(): void }) {
  const { app, set, close } = props;
  const [id, setId] = useState(set.id);
  const [name, setName] = useState(set.name ?? '');
  const [description, setDescription] = useState(set.description ?? '');
  const [problem, setProblem] = useState<string>();
  const [deleting, setDeleting] = useState(false);
  const at = path('apps', app, 'sets', set.id);
  const save = async (change: object, version: string | null, of = at) => {
    const saved = await ask<SetSummary>('PATCH', of, { body: change, version: version ?? '*' });
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
      const back = (now: SetSummary) => save({ id: set.id, ...before }, now.version, path('apps', app, 'sets', now.id));
      notify(`Saved “${visible(saved.name ?? saved.id)}”.`, undo);
    } catch (error) {
      setProblem(messageOf(error));
      if (isLostUpdate(error)) await loadSets(app);
    }
  };
  const remove = async () => {
    try {
      const deleted = await ask<Deleted>('DELETE', at, { version: set.version ?? undefined });
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
    <Dialog title="Eval set" close={close}>
      <form onSubmit={(event) => submitted(event, submit)}>
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
        <div class="buttons apart">
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            Delete…
          </button>
          <Buttons problem={problem} close={close} deed="Save" disabled={!set.editable} />
        </div>
      </form>
    </Dialog>
  );
}

function Buttons(props: {
  readonly problem: string | undefined;
  readonly deed: string;
  readonly disabled?: boolean;
  close(): void;
}) {
  return (
    <>
      {props.problem !== undefined && (
        <p class="problem" role="alert">
          {props.problem}
        </p>
      )}
      <div class="buttons">
        <button type="button" onClick={props.close}>
          Cancel
        </button>
        <button type="submit" class="main" disabled={props.disabled}>
          {props.deed}
        </button>
      </div>
    </>
  );
}

/** A form that the page handles itself: the browser may send none. */
function submitted(event: Event, run: () => Promise<void>): void {
  event.preventDefault();
  void run();
}
