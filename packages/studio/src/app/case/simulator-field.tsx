import { Field, SelectField } from '../field.tsx';
import type { Fields } from '../spelling.ts';
import { simulatorOf, withSimulator } from './stub-simulator.ts';

const CHOICES = {
  none: 'Nothing: only the answers below',
  MOCK_STRATEGY_TOOL_SPEC: 'A model, which plays the tool',
  recorded: 'The answers recorded in this case',
  own: 'A simulator of your own',
} as const;

/** Chooses what answers the calls that no answer of a stub fits. */
export function SimulatorField({ stub, change }: { readonly stub: Fields; change(stub: Fields): void }) {
  const name = simulatorOf(stub);
  const kind = name === null ? 'none' : name === 'MOCK_STRATEGY_TOOL_SPEC' || name === 'recorded' ? name : 'own';
  return (
    <div class="options">
      <SelectField<keyof typeof CHOICES>
        label="To other calls answers"
        hint={
          kind === 'MOCK_STRATEGY_TOOL_SPEC'
            ? 'It knows the declaration of the tool, the calls answered so far, and the data below.'
            : kind === 'recorded'
              ? 'Each call gets the next unused answer for equal arguments. It asks no model.'
              : undefined
        }
        value={kind}
        choices={CHOICES}
        change={(next) => change(withSimulator(stub, next === 'none' ? null : next === 'own' ? '' : next))}
      />
      {kind === 'own' && (
        <Field
          label="Name of the simulator"
          hint="Its file is named under “plugins” of the project."
          mono
          required
          value={name ?? ''}
          change={(text) => change(withSimulator(stub, text))}
        />
      )}
    </div>
  );
}
