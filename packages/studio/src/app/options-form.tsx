import { visible } from '@agent-criteria/viewer/views';
import { useId, useState } from 'preact/hooks';
import { Field } from './field.tsx';
import { fieldsOf, type OptionField } from './option-fields.ts';

/** A form of what a JSON Schema describes: what it can show as a field is one, anything else is written as JSON. */
export function OptionsForm(props: {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: Readonly<Record<string, unknown>>;
  change(value: Readonly<Record<string, unknown>>): void;
}) {
  const { schema, value } = props;
  const set = (key: string, next: unknown) => {
    const { [key]: _, ...others } = value;
    props.change(next === undefined ? others : { ...others, [key]: next });
  };
  return (
    <div class="options">
      {fieldsOf(schema).map((field) => (
        <Option
          key={field.key}
          field={field}
          value={value[field.key] ?? value[field.snake]}
          change={(next) => set(field.key in value || !(field.snake in value) ? field.key : field.snake, next)}
        />
      ))}
    </div>
  );
}

function Option(props: { readonly field: OptionField; readonly value: unknown; change(value: unknown): void }) {
  const { field, value, change } = props;
  const id = useId();
  const hint = field.description;
  if (field.kind === 'choice') {
    return (
      <p class="field">
        <label for={id}>{visible(field.key)}</label>
        <select
          id={id}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => change(field.choices.find((one) => String(one) === currentTarget.value))}
        >
          <option value="">{field.default === undefined ? '(not set)' : `(default: ${String(field.default)})`}</option>
          {field.choices.map((one) => (
            <option key={String(one)} value={String(one)}>
              {String(one)}
            </option>
          ))}
        </select>
        {hint !== '' && <small>{hint}</small>}
      </p>
    );
  }
  if (field.kind === 'number') {
    return (
      <p class="field">
        <label for={id}>{visible(field.key)}</label>
        <input
          id={id}
          type="number"
          step={field.whole ? 1 : 'any'}
          min={field.min}
          max={field.max}
          placeholder={field.default === undefined ? '' : String(field.default)}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)}
        />
        {hint !== '' && <small>{hint}</small>}
      </p>
    );
  }
  if (field.kind === 'text') {
    return (
      <Field
        label={visible(field.key)}
        hint={hint === '' ? undefined : hint}
        value={typeof value === 'string' ? value : ''}
        change={(text) => change(text === '' ? undefined : text)}
      />
    );
  }
  return <JsonField label={visible(field.key)} hint={hint} value={value} change={change} />;
}

/** A value that is written as JSON; what is none is said at once, and not taken. */
export function JsonField(props: {
  readonly label: string;
  readonly hint?: string;
  readonly value: unknown;
  readonly lines?: number;
  change(value: unknown): void;
}) {
  const [text, setText] = useState(props.value === undefined ? '' : JSON.stringify(props.value, null, 2));
  const [problem, setProblem] = useState<string>();
  const write = (next: string) => {
    setText(next);
    try {
      props.change(next.trim() === '' ? undefined : JSON.parse(next));
      setProblem(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const hint = props.hint === undefined || props.hint === '' ? 'As JSON' : `${props.hint} (JSON)`;
  return (
    <Field label={props.label} lines={props.lines ?? 3} hint={hint} value={text} problem={problem} change={write} />
  );
}
