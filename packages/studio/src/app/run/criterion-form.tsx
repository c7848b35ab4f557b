import { fieldOf } from '@agent-criteria/formats/schema';
import { visible } from '@agent-criteria/viewer/views';
import { useId } from 'preact/hooks';
import type { CriterionChoice, Needs } from '../../api.ts';
import { SelectField } from '../field.tsx';
import { fieldsOf } from '../option-fields.ts';
import { OptionsForm } from '../options-form.tsx';
import { writeKey } from '../spelling.ts';
import { type Choice, NOT_APPLICABLE } from './run-choice.ts';
import { Lacks } from './run-fields.tsx';

/** Edits a criterion's threshold and options, and shows its needs. */
export function CriterionForm(props: {
  readonly one: CriterionChoice;
  readonly choice: Choice | undefined;
  /** `undefined` while loading. */
  readonly needs: Needs | undefined;
  readonly total: number;
  /** Options whose fields are elsewhere. */
  readonly without: readonly string[];
  change(next: Partial<Choice>): void;
}) {
  const id = useId();
  const { one, choice, needs, total, change } = props;
  const { fit, range, schema } = one;
  if (choice === undefined) return null;
  const unfit = fit.cases === 0;
  const options = fieldsOf(schema).filter(({ key }) => !props.without.includes(key));
  const { problems = [], unwritten = [], asks = [] } = needs ?? {};
  const lacks = choice.on ? [...problems, ...unwritten] : [];
  return (
    <div class={`choice${choice.on ? ' on' : ''}${lacks.length > 0 ? ' lacking' : ''}`}>
      <div class="choice-head">
        <input
          id={id}
          type="checkbox"
          checked={choice.on}
          disabled={unfit && !choice.on}
          aria-describedby={`${id}-about`}
          onChange={(event) => change({ on: event.currentTarget.checked })}
        />
        <label for={id}>
          <b>{visible(one.name)}</b>
        </label>
        {one.judged && <small class="tag">asks a model</small>}
        {!one.decides && <small class="tag">only measures</small>}
        {choice.on && one.decides && (
          <Threshold
            name={one.name}
            range={range}
            value={choice.threshold}
            change={(threshold) => change({ threshold })}
          />
        )}
      </div>
      <div id={`${id}-about`} class="note">
        {one.description}
        {fit.reason !== null && (
          <span class="misfit">
            {' '}
            {unfit ? 'Fits no case' : `Fits ${fit.cases} of ${total}`}: {fit.reason}.
          </span>
        )}
        <Lacks lacks={lacks} />
        {choice.on && lacks.length === 0 && asks.length > 0 && <p>Asks {asks.map(visible).join('; ')}.</p>}
      </div>
      {choice.on && one.decides && !unfit && fit.cases < total && (
        <div class="within">
          <SelectField
            label={`The other ${total - fit.cases === 1 ? 'case' : `${total - fit.cases} cases`}`}
            value={fieldOf(choice.options, NOT_APPLICABLE) === 'skip' ? 'skip' : 'no'}
            choices={{ no: 'are not evaluated', skip: 'are judged by the other criteria alone' }}
            change={(next) =>
              change({ options: writeKey(choice.options, NOT_APPLICABLE, next === 'skip' ? 'skip' : undefined) })
            }
          />
        </div>
      )}
      {choice.on && options.length > 0 && (
        <details>
          <summary>Options</summary>
          <OptionsForm
            schema={schema}
            without={props.without}
            value={choice.options}
            change={(next) => change({ options: next })}
          />
        </details>
      )}
    </div>
  );
}

function Threshold(props: {
  readonly name: string;
  readonly range: CriterionChoice['range'];
  readonly value: number | null;
  change(value: number | null): void;
}) {
  const { name, range, value, change } = props;
  const label = range.better === 'higher' ? 'At least' : 'At most';
  return (
    <span class="threshold">
      <span aria-hidden="true">{label}</span>
      {range.max !== null && (
        <input
          type="range"
          aria-label={`Threshold of ${visible(name)}, slider`}
          min={range.min}
          max={range.max}
          step={(range.max - range.min) / 100}
          value={value ?? range.min}
          onInput={(event) => change(event.currentTarget.valueAsNumber)}
        />
      )}
      <input
        type="number"
        aria-label={`Threshold of ${visible(name)}`}
        min={range.min}
        max={range.max ?? undefined}
        step="any"
        required
        value={value ?? ''}
        onInput={(event) => change(event.currentTarget.value === '' ? null : event.currentTarget.valueAsNumber)}
      />
    </span>
  );
}
