import { visible } from '@agent-criteria/viewer/views';
import type { AskedVariant, NewRun } from '../../api.ts';
import { Entries } from '../entries.tsx';
import { Field, SelectField } from '../field.tsx';
import { info } from '../store.ts';

type Agents = Pick<NewRun, 'agent' | 'variants'>;

/** Chooses the agents to run: the app's agent, another one of this studio, or several side by side. */
export function VariantsForm(props: {
  readonly app: string;
  /** Names of the variants in the project's config. */
  readonly ofConfig: readonly string[];
  readonly value: Agents;
  change(value: Agents): void;
}) {
  const { app, ofConfig, value } = props;
  const { variants } = value;
  const { value: known } = info;
  const names = known.state === 'there' ? known.value.apps.flatMap((one) => (one.hasAgent ? [one.name] : [])) : [];
  const agent = value.agent ?? (names.includes(app) ? app : undefined);
  const chosen = variants === 'config' ? 'config' : variants !== undefined ? 'own' : agent && `only ${agent}`;
  const change = (next: Agents['variants']) => props.change({ agent: undefined, variants: next });
  const fresh = (place: number): AskedVariant => ({ name: `variant_${place}`, app: agent ?? names[0] ?? app });
  const choices = {
    ...(chosen === undefined ? { '': 'Choose one' } : {}),
    ...Object.fromEntries(
      [app, ...names.filter((name) => name !== app)].flatMap((name) =>
        names.includes(name) ? [[`only ${name}`, `Only ${visible(name)}`]] : [],
      ),
    ),
    ...(ofConfig.length === 0 ? {} : { config: `Those of the project: ${ofConfig.map(visible).join(', ')}` }),
    own: 'Several, side by side',
  };
  const choose = (next: string) => {
    const [, only] = /^only (.*)$/s.exec(next) ?? [];
    if (only !== undefined) props.change({ agent: only === app ? undefined : only, variants: undefined });
    else if (next === 'config') change('config');
    else if (next === 'own') change([{ ...fresh(1), name: 'now' }, fresh(2)]);
  };
  return (
    <>
      <SelectField<string> label="Agents" value={chosen ?? ''} choices={choices} change={choose} />
      {typeof variants === 'object' && (
        <Entries
          title="Variants"
          level={2}
          items={variants}
          one="variant"
          add="Add a variant"
          append={() => change([...variants, fresh(variants.length + 1)])}
          remove={(_, place) => change(variants.length === 1 ? undefined : variants.toSpliced(place, 1))}
          entry={(one, place) => {
            const put = (next: Partial<AskedVariant>) => change(variants.with(place, { ...one, ...next }));
            return (
              <>
                <Field label="Name" value={one.name} change={(name) => put({ name })} required />
                <SelectField<string>
                  label="Agent"
                  value={one.app}
                  choices={Object.fromEntries(names.map((name) => [name, visible(name)]))}
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
