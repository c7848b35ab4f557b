import { isObject } from '@agent-criteria/formats';
import { visible } from '@agent-criteria/viewer/views';
import { Field, JsonField, NumberField, SelectField } from './field.tsx';
import { fieldsOf, type OptionField } from './option-fields.ts';
import { RubricsForm } from './rubrics-form.tsx';

/** A form for a JSON Schema. Types without a dedicated field are edited as JSON. */
export function OptionsForm(props: {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: Readonly<Record<string, unknown>>;
  /** Keys whose fields are elsewhere. */
  readonly without?: readonly string[];
  change(value: Readonly<Record<string, unknown>>): void;
}) {
  const { schema, value, without = [] } = props;
  const set = (key: string, next: unknown) => {
    const { [key]: _, ...others } = value;
    props.change(next === undefined ? others : { ...others, [key]: next });
  };
  return (
    <div class="options">
      {fieldsOf(schema)
        .filter(({ key }) => !without.includes(key))
        .map((field) => (
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
  const label = visible(field.key);
  const hint = field.description === '' ? undefined : field.description;
  switch (field.kind) {
    case 'choice': {
      const choices = Object.fromEntries(field.choices.map((one) => [String(one), String(one)]));
      const none = field.default === undefined ? '(not set)' : `(default: ${String(field.default)})`;
      return (
        <SelectField
          label={label}
          hint={hint}
          value={String(value ?? '')}
          choices={{ '': none, ...choices }}
          change={(next) => change(field.choices.find((one) => String(one) === next))}
        />
      );
    }
    case 'number':
      return (
        <NumberField
          label={label}
          hint={hint}
          min={field.min}
          max={field.max}
          whole={field.whole}
          placeholder={field.default === undefined ? undefined : String(field.default)}
          value={typeof value === 'number' ? value : undefined}
          change={change}
        />
      );
    case 'text':
      return (
        <Field
          label={label}
          hint={hint}
          lines={/template|instruction/i.test(field.key) ? 4 : 1}
          value={typeof value === 'string' ? value : ''}
          change={(text) => change(text === '' ? undefined : text)}
        />
      );
    case 'group':
      return (
        <fieldset class="group">
          <legend>{label}</legend>
          {hint !== undefined && <small>{hint}</small>}
          <OptionsForm
            schema={field.schema}
            value={isObject(value) ? value : {}}
            change={(next) => change(Object.keys(next).length === 0 ? undefined : next)}
          />
        </fieldset>
      );
    case 'rubrics':
      return (
        <div class="group">
          <RubricsForm title="Rubrics" note={hint} level={2} spelling="snake" value={value} change={change} />
        </div>
      );
    case 'json':
      return <JsonField label={label} hint={hint} value={value} change={change} />;
  }
}
