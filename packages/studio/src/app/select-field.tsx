import { useId } from 'preact/hooks';
import { FieldFrame } from './field.tsx';

/** A choice with a label. */
export function SelectField<Choice extends string>(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Choice;
  /** Text of each choice. */
  readonly choices: Readonly<Record<Choice, string>>;
  change(value: Choice): void;
}) {
  const id = useId();
  const { hint } = props;
  return (
    <FieldFrame id={id} label={props.label} hint={hint}>
      <select
        id={id}
        value={props.value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => props.change(currentTarget.value as Choice)}
      >
        {Object.entries<string>(props.choices).map(([choice, shown]) => (
          <option key={choice} value={choice}>
            {shown}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
