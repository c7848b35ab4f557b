import { count } from '@agent-criteria/viewer/views';
import type { RunSummary } from '../../api.ts';

export type Scope = 'all' | 'chosen' | 'failed';

/** Chooses the cases to run. */
export function ScopeField(props: {
  readonly scope: Scope;
  set(scope: Scope): void;
  /** Number of cases in the set, and of those that were chosen there. */
  readonly all: number;
  readonly chosen: number;
  readonly last: RunSummary | null;
}) {
  const { scope, set, all, chosen, last } = props;
  return (
    <fieldset class="scope">
      <legend>Cases</legend>
      <Radio value="all" scope={scope} set={set} label={all === 1 ? 'The only case' : `All ${count(all, 'case')}`} />
      <Radio
        value="chosen"
        scope={scope}
        set={set}
        disabled={chosen === 0}
        label={chosen === 0 ? 'Some: choose them in the set' : `The ${count(chosen, 'chosen case')}`}
      />
      <Radio
        value="failed"
        scope={scope}
        set={set}
        disabled={last === null}
        label={
          last === null ? 'Failed: the set has not run yet' : `Those that did not pass in the last run, ${last.id}`
        }
      />
    </fieldset>
  );
}

function Radio(props: {
  readonly value: Scope;
  readonly scope: Scope;
  readonly label: string;
  readonly disabled?: boolean;
  set(scope: Scope): void;
}) {
  return (
    <label class="switch">
      <input
        type="radio"
        name="scope"
        checked={props.scope === props.value}
        disabled={props.disabled}
        onChange={() => props.set(props.value)}
      />
      {props.label}
    </label>
  );
}
