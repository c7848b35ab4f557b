import { fieldOf } from '@agent-criteria/formats/schema';
import { Field, JsonField, SelectField } from '../field.tsx';
import { type Fields, listOf, writeKey } from '../spelling.ts';
import { simulatorOf } from './stub-simulator.ts';
import { StubsForm } from './stubs-form.tsx';

const STUBS = 'tool_simulation_configs';
const TEXTS = ['simulation_model', 'environment_data', 'tracing'] as const;
const SETTINGS = 'simulation_model_configuration';
const UNLISTED = 'unlisted_tools';

/** The keys under `agent_criteria` of a case that this form edits. */
export const ENVIRONMENT_KEYS = [STUBS, ...TEXTS, SETTINGS, UNLISTED] as const;

/** Edits what answers in place of tools in a case. Keys without a field keep their values. */
export function EnvironmentForm({ value, change }: { readonly value: Fields; change(value: Fields): void }) {
  const put = (key: string, next: unknown) => change(writeKey(value, key, next));
  const text = (key: (typeof TEXTS)[number]) => {
    const found = fieldOf(value, key);
    return typeof found === 'string' ? found : '';
  };
  const putText = (key: string, next: string) => put(key, next === '' ? undefined : next);
  const stubs = listOf(fieldOf(value, STUBS));
  const isPlayed =
    stubs.some((stub) => ![null, 'recorded'].includes(simulatorOf(stub))) ||
    [...TEXTS, SETTINGS].some((key) => fieldOf(value, key) !== undefined);
  return (
    <>
      <StubsForm value={fieldOf(value, STUBS)} change={(next) => put(STUBS, next)} />
      <UnlistedField value={fieldOf(value, UNLISTED)} change={(next) => put(UNLISTED, next)} />
      {isPlayed && (
        <section class="group" aria-label="What simulated tools know">
          <h3>What simulated tools know</h3>
          <p class="note">The tools of a session share a state. Each field replaces that of the config.</p>
          <Field
            label="Data"
            hint="As text or JSON. The model treats it as the database of the tools."
            lines={4}
            value={text('environment_data')}
            change={(next) => putText('environment_data', next)}
          />
          <Field
            label="Earlier calls"
            hint="Calls of the real tools with their answers, as text, which the model imitates."
            lines={3}
            value={text('tracing')}
            change={(next) => putText('tracing', next)}
          />
          <div class="options">
            <Field
              label="Model"
              hint="Of any provider. Empty: that of the config, or else gemini-2.5-flash."
              mono
              value={text('simulation_model')}
              change={(next) => putText('simulation_model', next)}
            />
            <JsonField
              label="Its settings"
              hint="Named as in Gemini’s GenerateContentConfig"
              kind="object"
              value={fieldOf(value, SETTINGS)}
              change={(next) => put(SETTINGS, next)}
            />
          </div>
        </section>
      )}
    </>
  );
}

function UnlistedField({ value, change }: { readonly value: unknown; change(value: string | undefined): void }) {
  const choices: Record<string, string> = {
    '': 'As the config has it',
    real: 'The real tool answers',
    error: 'A call is an error',
  };
  const now = typeof value === 'string' ? value : '';
  // A value that is not known here is shown and kept.
  if (!Object.hasOwn(choices, now)) choices[now] = now;
  return (
    <SelectField<string>
      label="Tools without a stub"
      hint={
        now === 'error'
          ? 'The tool is not called, and the case is an error.'
          : 'Without a word in the config, the real tool answers.'
      }
      value={now}
      choices={choices}
      change={(next) => change(next === '' ? undefined : next)}
    />
  );
}
