import { visible } from '@agent-criteria/viewer/views';
import type { AskedVariant, NewRun } from '../../api.ts';
import { Entries } from '../entries.tsx';
import { Field, SelectField } from '../field.tsx';
import { info } from '../store.ts';

type Variants = NewRun['variants'];

/** Chooses the agents to run: the app's agent, or several side by side. */
export function VariantsForm(props: {
  readonly app: string;
  /** Names of the variants in the project's config. */
  readonly ofConfig: readonly string[];
  readonly value: Variants;
  change(value: Variants): void;
}) {
  const { app, ofConfig, value, change } = props;
  const { value: known } = info;
  const apps = known.state === 'there' ? known.value.apps.filter(({ hasAgent }) => hasAgent) : [];
  const kind = value === undefined ? 'one' : value === 'config' ? 'config' : 'own';
  const fresh = (place: number): AskedVariant => ({ name: `variant_${place}`, app });
  const choices = {
    one: `Only ${visible(app)}`,
    ...(ofConfig.length === 0 ? {} : { config: `Those of the project: ${ofConfig.map(visible).join(', ')}` }),
    own: 'Several, side by side',
  };
  return (
    <>
      <SelectField<string>
        label="Agents"
        value={kind}
        choices={choices}
        change={(next) =>
          change(next === 'one' ? undefined : next === 'config' ? 'config' : [{ name: 'now', app }, fresh(2)])
        }
      />
      {typeof value === 'object' && (
        <Entries
          title="Variants"
          level={2}
          items={value}
          one="variant"
          add="Add a variant"
          append={() => change([...value, fresh(value.length + 1)])}
          remove={(_, place) => change(value.length === 1 ? undefined : value.toSpliced(place, 1))}
          entry={(one, place) => {
            const put = (next: Partial<AskedVariant>) => change(value.with(place, { ...one, ...next }));
            return (
              <>
                <Field label="Name" value={one.name} change={(name) => put({ name })} required />
                <SelectField<string>
                  label="Agent"
                  value={one.app}
                  choices={Object.fromEntries(apps.map(({ name }) => [name, visible(name)]))}
                  change={(next) => put({ app: next })}
                />
                <Field
                  label="Export"
                  hint="Of those that its module exports. Empty: its agent."
                  mono
                  value={one.agentName ?? ''}
                  change={(agentName) => put({ agentName: agentName === '' ? undefined : agentName })}
                />
              </>
            );
          }}
        />
      )}
    </>
  );
}
