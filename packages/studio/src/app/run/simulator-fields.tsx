import { count, visible } from '@agent-criteria/viewer/views';
import type { RunChoices, RunNeeds } from '../../api.ts';
import { OptionsForm } from '../options-form.tsx';
import { SelectField } from '../select-field.tsx';
import { writeKey } from '../spelling.ts';
import type { Chosen } from './run-choice.ts';

/** The simulated user with its needs. */
export function SimulatorFields(props: {
  readonly choices: RunChoices;
  readonly needs: RunNeeds | null;
  readonly value: Chosen['simulator'];
  change(value: Chosen['simulator']): void;
}) {
  const { choices, needs } = props;
  return (
    <fieldset>
      <legend>Simulated user</legend>
      <p class="note">
        Leads {count(choices.scenarios, 'scenario')}. Its stop signal holds for the criterion that judges the user, too.
      </p>
      {needs?.run.problems.map((lack) => (
        <p key={lack} class="lack" dir="auto">
          <b>Cannot run yet:</b> {lack}
        </p>
      ))}
      {needs !== null && needs.run.problems.length === 0 && needs.run.asks.length > 0 && (
        <p class="note">Asks {needs.run.asks.map(visible).join('; ')}.</p>
      )}
      <SimulatorForm choices={choices} value={props.value} change={props.change} />
    </fieldset>
  );
}

function SimulatorForm(props: {
  readonly choices: RunChoices;
  readonly value: Chosen['simulator'];
  change(value: Chosen['simulator']): void;
}) {
  const { choices, value, change } = props;
  const types = choices.simulators.map(({ type }) => type);
  const type = typeof value.type === 'string' ? value.type : 'llm_backed';
  const found = choices.simulators.find((one) => one.type === type);
  return (
    <>
      {types.length > 1 && (
        <SelectField<string>
          label="Type"
          value={type}
          choices={Object.fromEntries(types.map((one) => [one, visible(one)]))}
          change={(next) => change(writeKey({}, 'type', next))}
        />
      )}
      {found !== undefined && <OptionsForm schema={found.schema} value={value} change={change} />}
    </>
  );
}
