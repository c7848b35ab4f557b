import { FieldFrame } from './field.tsx';
import { useFieldError } from './form-errors.ts';

/** A number with a label; `undefined` if the field is empty. */
export function NumberField(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly whole?: boolean;
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
  change(value: number | undefined): void;
}) {
  const { id, problem, setProblem } = useFieldError();
  const { hint, value, min, max, whole = false, required = false } = props;
  return (
    <FieldFrame id={id} label={props.label} hint={hint} problem={problem}>
      <input
        id={id}
        type="number"
        min={min}
        max={max}
        step={whole ? 1 : 'any'}
        required={required}
        placeholder={props.placeholder}
        value={value ?? ''}
        aria-describedby={(hint ?? problem) === undefined ? undefined : `${id}-hint`}
        aria-invalid={problem !== undefined}
        onInput={({ currentTarget }) => {
          const { validity, validationMessage, valueAsNumber } = currentTarget;
          setProblem(validity.valid ? undefined : validationMessage);
          if (validity.valid) props.change(currentTarget.value === '' ? undefined : valueAsNumber);
        }}
      />
    </FieldFrame>
  );
}
