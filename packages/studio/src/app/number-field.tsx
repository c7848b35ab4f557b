import { useContext, useEffect, useId, useState } from 'preact/hooks';
import { Slips } from './slips.ts';

/** A number under its name; `undefined`: nothing is written. */
export function NumberField(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Default: any number. */
  readonly whole?: boolean;
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
  change(value: number | undefined): void;
}) {
  const id = useId();
  const { hint, value, min, max, whole = false, required = false } = props;
  const [problem, setProblem] = useState<string>();
  const report = useContext(Slips);
  useEffect(() => {
    report(id, problem !== undefined);
    return () => report(id, false);
  }, [problem]);
  return (
    <p class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="number"
        min={min}
        max={max}
        step={whole ? 1 : 'any'}
        required={required}
        placeholder={props.placeholder}
        value={value ?? ''}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-hint`}
        aria-invalid={problem !== undefined}
        onInput={({ currentTarget }) => {
          const { validity, validationMessage, valueAsNumber } = currentTarget;
          setProblem(validity.valid ? undefined : validationMessage);
          if (validity.valid) props.change(currentTarget.value === '' ? undefined : valueAsNumber);
        }}
      />
      {(hint ?? problem) !== undefined && (
        <small id={`${id}-hint`} class={problem === undefined ? '' : 'problem'}>
          {problem ?? hint}
        </small>
      )}
    </p>
  );
}
