import type { ImportChoices, ShownImport } from '../../api.ts';
import { Field, NumberField, SelectField } from '../field.tsx';
import type { ImportDraft } from './use-import.ts';

interface FieldsProps {
  readonly preview: ShownImport;
  readonly choices: ImportChoices;
  readonly draft: ImportDraft;
}

/** Says how the file is read, and which of its conversations are taken. Every change reads it again. */
export function ReadingFields(props: FieldsProps) {
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <fieldset disabled={props.draft.making}>
        <legend>How it is read</legend>
        <FormatField {...props} />
        <ColumnFields {...props} />
      </fieldset>
      <ChoiceFields {...props} />
    </form>
  );
}

function FormatField({ choices, draft }: FieldsProps) {
  return (
    <SelectField<string>
      label="Format"
      value={draft.reading.as ?? ''}
      choices={{
        '': 'Recognised by the content',
        ...Object.fromEntries(choices.formats.map((one) => [one.id, one.name])),
      }}
      change={(as) => draft.change({ as: as === '' ? undefined : as, columns: undefined })}
    />
  );
}

/** The columns that were guessed or named, each with its path. */
function ColumnFields({ preview, choices, draft }: FieldsProps) {
  const [file] = preview.files;
  const named = new Map((draft.reading.columns ?? []).map(splitColumn));
  const paths = new Map([...Object.entries(file?.columns ?? {}), ...named]);
  const shown = choices.columns.filter(({ name }) => paths.has(name));
  const others = choices.columns.filter(({ name }) => !paths.has(name));
  // Formats with a shape of their own have no columns.
  if (file !== undefined && Object.keys(file.columns).length === 0 && named.size === 0 && file.format !== 'rows')
    return null;
  const put = (name: string, path: string) =>
    draft.change({ columns: [...new Map([...named, [name, path]])].map((pair) => pair.join('=')) });
  return (
    <details class="import-columns" open={named.size > 0 || file?.format === 'rows'}>
      <summary>
        Columns <small>{[...paths].filter(([, path]) => path !== '').length}</small>
      </summary>
      <p class="note">
        Guessed by their names and values. A path such as $.output.text corrects one; empty, it is not read.
      </p>
      {shown.map(({ name, meaning }) => (
        <Field
          key={name}
          label={name}
          mono
          hint={`${meaning}${named.has(name) ? '' : ' (guessed)'}`}
          value={paths.get(name) ?? ''}
          change={(path) => put(name, path)}
        />
      ))}
      {others.length > 0 && (
        <SelectField<string>
          label="Another column"
          value=""
          choices={{
            '': 'Add…',
            ...Object.fromEntries(others.map(({ name, meaning }) => [name, `${name}: ${meaning}`])),
          }}
          change={(name) => name !== '' && put(name, `$.${name}`)}
        />
      )}
    </details>
  );
}

function splitColumn(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

function ChoiceFields({ preview, draft }: FieldsProps) {
  const { reading, change } = draft;
  const isRows = Object.keys(preview.files[0]?.columns ?? {}).length > 0;
  return (
    <details class="import-choice">
      <summary>Which conversations</summary>
      <fieldset disabled={draft.making}>
        <legend class="unseen">Which conversations</legend>
        <Switch
          text="Only the first of those in which the user says the same"
          checked={reading.unique === true}
          change={(unique) => change({ unique })}
        />
        <Switch
          text="Leave out what cannot be read"
          checked={reading.skipInvalid === true}
          change={(skipInvalid) => change({ skipInvalid })}
        />
        <div class="options">
          <NumberField
            label="Number, drawn at random"
            whole
            min={1}
            placeholder="all"
            value={reading.sample}
            change={(sample) => change({ sample })}
          />
          {reading.sample !== undefined && (
            <Field
              label="Seed"
              hint="The same seed draws the same."
              value={reading.seed ?? '1'}
              change={(seed) => change({ seed })}
            />
          )}
          <Field
            label="With the text"
            hint="In a message or a call, in upper or lower case."
            value={reading.grep?.[0] ?? ''}
            change={(text) => change({ grep: text === '' ? undefined : [text] })}
          />
          {isRows && (
            <Field
              label="Records with a value"
              mono
              hint="Such as $.status=closed"
              value={reading.where?.[0] ?? ''}
              change={(text) => change({ where: text === '' ? undefined : [text] })}
            />
          )}
          <Field
            label="Labels that mean pass"
            hint="Separated by commas; all others then mean fail. Empty: pass, yes, true, 1 and the like."
            value={reading.passes?.join(', ') ?? ''}
            change={(text) =>
              change({ passes: text.trim() === '' ? undefined : text.split(',').map((one) => one.trim()) })
            }
          />
        </div>
      </fieldset>
    </details>
  );
}

function Switch(props: { readonly text: string; readonly checked: boolean; change(next: boolean): void }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={({ currentTarget }) => props.change(currentTarget.checked)}
      />{' '}
      {props.text}
    </label>
  );
}
