import { count, visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { ImportChoices, ShownImport } from '../../api.ts';
import { Button } from '../button.tsx';
import { Field, Radio, SelectField } from '../field.tsx';
import { go } from '../router.ts';
import { info, loadLastRuns, loadSets, setsOf } from '../store.ts';
import { notify } from '../toasts.tsx';
import { Progress, readingText } from './import-progress.tsx';
import type { ImportDraft } from './use-import.ts';

/** Makes a run or an eval set of the file, and leads to it. */
export function ImportedAs(props: {
  readonly preview: ShownImport;
  readonly choices: ImportChoices;
  readonly draft: ImportDraft;
}) {
  const { preview, choices, draft } = props;
  const { conversations, answered, labels, problems } = preview;
  const apps = info.value.state === 'there' ? info.value.value.apps.map(({ name }) => name) : [];
  const [as, setAs] = useState<'run' | 'cases'>(answered === 0 && conversations > 0 ? 'cases' : 'run');
  const [name, setName] = useState('');
  const [by, setBy] = useState('');
  const [chosenApp, setApp] = useState<string | null>(null);
  const [ownId, setId] = useState<string | null>(null);
  const app = chosenApp ?? apps[0] ?? '';
  const taken = (id: string) => setsOf(app)?.some((one) => one.id === id) === true;
  const id = ownId ?? freeId(preview.evalSetId, taken);
  const wrongId = !/^\w+$/.test(id)
    ? 'Only letters, digits and underscores.'
    : taken(id)
      ? 'There is such an eval set already.'
      : undefined;
  const hasAnswers = answered > 0;
  const isReading = draft.progress !== null;
  const isReady =
    !isReading &&
    draft.problem === undefined &&
    problems.length === 0 &&
    conversations > 0 &&
    (as === 'run' ? hasAnswers : wrongId === undefined && app !== '');
  const submit = async () => {
    if (as === 'run') {
      const place = await draft.makeRun({ name: name.trim(), by: by.trim() });
      if (place === null) return;
      void loadLastRuns();
      go({ view: 'run', run: place.run });
      notify(`Imported ${count(place.cases, 'case')} as a run.`);
    } else {
      const place = await draft.makeCases({ app, set: id });
      if (place === null) return;
      await loadSets(app);
      go({ view: 'set', app, set: place.set, search: '' });
      notify(`Imported ${count(place.cases, 'case')}.`);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void submit();
      }}
    >
      <fieldset disabled={draft.making}>
        <legend>Make of it</legend>
        <div class="scope">
          <Radio name="import-as" checked={as === 'run'} choose={() => setAs('run')}>
            A run
          </Radio>
          <Radio name="import-as" checked={as === 'cases'} choose={() => setAs('cases')}>
            Cases
          </Radio>
        </div>
        <p class="note">
          {as === 'run'
            ? 'The conversations as they were, to read, score, label and compare.'
            : 'A new eval set: the agent is to do again what it did, or what the file says is expected.'}
        </p>
        {as === 'run' ? (
          <>
            {!hasAnswers && conversations > 0 && (
              <p class="problem">
                No column holds the answers of the agent, so there is nothing to score: name the column “answer” below,
                or make cases.
              </p>
            )}
            <Field label="Name" hint="For people. It may be left out." value={name} change={setName} />
            {labels.pass + labels.fail > 0 && (
              <Field label="Who gave the labels" hint="Empty: imported" value={by} change={setBy} />
            )}
          </>
        ) : (
          <>
            {apps.length > 1 && (
              <SelectField<string>
                label="For the agent"
                value={app}
                choices={Object.fromEntries(apps.map((one) => [one, visible(one)]))}
                change={setApp}
              />
            )}
            <Field
              label="Id of the new set"
              hint="The name of its file."
              problem={wrongId}
              value={id}
              required
              change={setId}
            />
          </>
        )}
      </fieldset>
      <p class="note">
        {choices.masksSecrets
          ? 'Secrets are masked in what is stored. Read what you commit.'
          : 'Secrets are not masked here: the studio was started without masking.'}
      </p>
      {draft.making && draft.source.state === 'sent' && draft.progress !== null ? (
        <div role="status">
          <Progress {...readingText(draft.source.file.name, draft.progress)} cancel={draft.cancel} />
        </div>
      ) : (
        <div class="buttons">
          {preview.canLeaveOut && (
            <Button text="Leave out what cannot be read" onClick={() => draft.change({ skipInvalid: true })} />
          )}
          <button type="submit" class="main" disabled={!isReady}>
            {isReading
              ? 'Reading…'
              : as === 'run'
                ? `Make a run of ${count(conversations, 'conversation')}`
                : `Make ${count(conversations, 'case')}`}
          </button>
        </div>
      )}
    </form>
  );
}

/** Returns an id that no set has, by adding a number if need be. */
function freeId(wanted: string, isTaken: (id: string) => boolean): string {
  const plain = wanted.replace(/[^a-zA-Z0-9_]+/g, '_') || 'conversations';
  if (!isTaken(plain)) return plain;
  for (let number = 2; ; number += 1) if (!isTaken(`${plain}_${number}`)) return `${plain}_${number}`;
}
