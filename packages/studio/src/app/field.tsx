import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A text field with a label. */
export function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly lines?: number;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Monospaced, for code. */
  readonly mono?: boolean;
  /** Suggestions; any other text is allowed. */
  readonly list?: readonly string[];
  change(value: string): void;
}) {
  const id = useId();
  const { label, hint, problem, lines = 1, required = false, disabled = false } = props;
  const shared = {
    id,
    value: props.value,
    required,
    disabled,
    dir: 'auto' as const,
    class: props.mono === true ? 'mono' : undefined,
    spellcheck: props.mono !== true,
    'aria-describedby': hint === undefined && problem === undefined ? undefined : `${id}-hint`,
    'aria-invalid': problem !== undefined,
  };
  return (
    <FieldFrame id={id} label={label} hint={hint} problem={problem}>
      {lines === 1 ? (
        <input
          type="text"
          autocomplete="off"
          list={props.list === undefined ? undefined : `${id}-list`}
          {...shared}
          onInput={(event) => props.change(event.currentTarget.value)}
        />
      ) : (
        <textarea rows={lines} {...shared} onInput={(event) => props.change(event.currentTarget.value)} />
      )}
      {props.list !== undefined && (
        <datalist id={`${id}-list`}>
          {props.list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </FieldFrame>
  );
}

/** The label of a field above it, and its hint or error below. */
export function FieldFrame(props: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { id, hint, problem } = props;
  return (
    <p class="field">
      <label for={id}>{props.label}</label>
      {props.children}
      {(hint ?? problem) !== undefined && (
        <small id={`${id}-hint`} class={problem === undefined ? '' : 'problem'}>
          {problem ?? hint}
        </small>
      )}
    </p>
  );
}
