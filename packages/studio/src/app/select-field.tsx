import { useId } from 'preact/hooks';

/** One of some choices under its name. */
export function SelectField<Choice extends string>(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Choice;
  /** By choice, what is shown. */
  readonly choices: Readonly<Record<Choice, string>>;
  change(value: Choice): void;
}) {
  const id = useId();
  const { hint } = props;
  return (
    <p class="field">
      <label for={id}>{props.label}</label>
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
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </p>
  );
}
