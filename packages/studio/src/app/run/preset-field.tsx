import { visible } from '@agent-criteria/viewer/views';
import type { RunChoices } from '../../api.ts';
import { SelectField } from '../select-field.tsx';

/** Chooses the initial criteria: the config, the last choice or a preset. */
export function PresetField(props: {
  readonly choices: RunChoices;
  readonly from: string;
  readonly hasLast: boolean;
  choose(from: string): void;
}) {
  const { choices, from } = props;
  const { config, presets } = choices;
  const preset = presets.find(({ name }) => name === from);
  const hint =
    preset?.description ??
    (from === 'last'
      ? 'What you ran this set with last, in this browser.'
      : config === null
        ? 'No config judges this set yet.'
        : 'What the command judges this set by.');
  return (
    <>
      <SelectField<string>
        label="Begin with"
        hint={hint}
        value={from}
        choices={{
          config: config === null ? 'ADK’s defaults' : `The config: ${visible(config)}`,
          ...(props.hasLast ? { last: 'Your last choice' } : {}),
          ...Object.fromEntries(presets.map(({ name }) => [name, `Preset: ${name}`])),
        }}
        change={props.choose}
      />
      {preset?.missing.map(({ name, install }) => (
        <p key={name} class="lack">
          <b>{visible(name)}</b> is not installed: <code>{install}</code>
        </p>
      ))}
    </>
  );
}
