import { isObject } from '@agent-criteria/formats';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useFieldError } from './form-errors.ts';

export function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly lines?: number;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Whether to use a monospaced font, for code. */
  readonly mono?: boolean;
  /** Suggestions; any other text is allowed as well. */
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

/** Frames a field with its label above and its hint or error below. */
function FieldFrame(props: {
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

export function SelectField<Choice extends string>(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Choice;
  /** Label of each choice. */
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

/** A labelled number field; the value is `undefined` if the field is empty. */
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

/** Edits a value as JSON. Invalid input is reported at once and not applied. */
export function JsonField(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: unknown;
  /** Required type. Default: any. */
  readonly kind?: 'object' | 'list' | undefined;
  change(value: unknown): void;
}) {
  const { value, kind } = props;
  const [text, setText] = useState(() => written(value));
  const { problem, setProblem } = useFieldError();
  const known = useRef(JSON.stringify(value));
  const now = JSON.stringify(value);
  useEffect(() => {
    // Keeps the text as typed; shows only changes made by undo, a save or another pane.
    if (now === known.current) return;
    known.current = now;
    setText(written(value));
    setProblem(undefined);
  }, [now]);
  const write = (next: string) => {
    setText(next);
    try {
      const parsed: unknown = next.trim() === '' ? undefined : JSON.parse(next);
      const wrong = parsed === undefined ? null : mistake(parsed, kind);
      if (wrong !== null) return setProblem(wrong);
      setProblem(undefined);
      known.current = JSON.stringify(parsed);
      props.change(parsed);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const hint = props.hint === undefined || props.hint === '' ? undefined : `${props.hint} (JSON)`;
  const lines = Math.min(Math.max(text.split('\n').length, 1), 12);
  return (
    <Field
      label={props.label}
      lines={Math.max(lines, 2)}
      hint={hint}
      value={text}
      problem={problem}
      mono
      change={write}
    />
  );
}

function written(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
}

function mistake(value: unknown, kind: 'object' | 'list' | undefined): string | null {
  if (kind === 'list' && !Array.isArray(value)) return 'This must be a list: [ … ]';
  return kind === 'object' && !isObject(value) ? 'This must be an object: { "key": … }' : null;
}

/** A radio button for one of several mutually exclusive choices. */
export function Radio(props: {
  /** Shared by all choices in a group. */
  readonly name: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
  choose(): void;
}) {
  const { name, checked, disabled = false, children, choose } = props;
  return (
    <label class="switch">
      <input type="radio" name={name} checked={checked} disabled={disabled} onChange={choose} />
      {children}
    </label>
  );
}
