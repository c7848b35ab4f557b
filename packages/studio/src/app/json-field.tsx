import { isObject } from '@agent-criteria/formats';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from './field.tsx';
import { useFieldError } from './form-errors.ts';

/** A value that is edited as JSON. Anything invalid is reported at once and not taken. */
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
    // Keeps the text as it was typed; shows only changes by undo, a save or another pane.
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
