import type * as z from 'zod/mini';
import { toSnake } from '../src/schema/spelling.ts';
import { inTypeScript, namedModels, notesOf } from './models.ts';

// Prints the data model as TypeScript and leaves the layout to the formatter. It knows what the models use of zod, and
// throws at anything else.

type Schema = z.core.$ZodType;

/** How keys are spelt, and what stands before properties and lists. */
interface Style {
  readonly readonly: '' | 'readonly ';
  /** `null`: the model itself, in camelCase. Else what code may pass: parts in either spelling. */
  readonly input: 'camel' | 'snake' | null;
}
const MODEL: Style = { readonly: '', input: null };

/** The content of `src/data/model.ts`. */
export function printTypes(): string {
  const declarations = [...namedModels].map(([name, schema]) => {
    const type = printed(schema);
    const declared = type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    return `\n${comment(schema)}export ${declared}\n`;
  });
  return `// Written by scripts/write-models.ts from scripts/models.ts: change those, not this file.
import type { State } from '../json.ts';
${declarations.join('')}`;
}

/** What code may pass of these models: the content of `src/data/written.ts`. */
export function printWritten(roots: readonly string[]): string {
  const names = [...reachable(roots)].filter((name) => holdsObject(name)).sort();
  const declarations = names.map((name) => {
    const schema = model(name);
    const input = writtenName(name);
    const styles = isSpeltTwice(schema) ? (['camel', 'snake'] as const) : (['camel'] as const);
    const interfaces = styles.map((spelling) => {
      const declared = styles.length === 1 ? input : `${input}${spelling === 'camel' ? 'Camel' : 'Snake'}`;
      const words =
        styles.length === 1
          ? comment(schema)
          : `/** \`${input}\` in ${spelling === 'camel' ? 'camelCase' : 'snake_case'}. */\n`;
      return `\n${words}export interface ${declared} ${printed(schema, { readonly: 'readonly ', input: spelling })}\n`;
    });
    const union =
      styles.length === 1 ? '' : `\n${comment(schema)}export type ${input} = ${input}Camel | ${input}Snake;\n`;
    return union + interfaces.join('');
  });
  return `// Written by scripts/write-models.ts from scripts/models.ts: change those, not this file.
import type { State } from '../json.ts';
import type { WrittenCaseKeys } from './written-case-keys.ts';

// What code may pass where a file could stand: each object with the keys of TypeScript or with those of ADK's files, and
// with no others. Unions of two interfaces, for completion and short messages: mapped types lose the descriptions.
${declarations.join('')}`;
}

const writtenName = (name: string): string => `Written${name}`;

function model(name: string): Schema {
  const schema = namedModels.get(name);
  if (schema === undefined) throw new Error(`there is no model ${name}`);
  return schema;
}

function holdsObject(name: string): boolean {
  return defOf(bare(model(name))).type === 'object';
}

function bare(schema: Schema): Schema {
  const def = defOf(schema);
  return def.type === 'readonly' ? bare(def.innerType) : schema;
}

/** Whether an object's keys differ between the two spellings. */
function isSpeltTwice(schema: Schema): boolean {
  const def = defOf(bare(schema));
  return def.type === 'object' && Object.keys(def.shape).some((key) => toSnake(key) !== key);
}

/** The models that these are made of. */
function reachable(names: readonly string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    // A name is a whole word of the printed type.
    const words = printed(model(name), { readonly: '', input: 'camel' }).match(/\w+/g) ?? [];
    reachable(
      words.map((word) => word.replace(/^Written/, '')).filter((word) => namedModels.has(word)),
      seen,
    );
  }
  return seen;
}

/** A schema as a type: its name, where it has one. */
function typeOf(schema: Schema, style: Style): string {
  const { id } = notesOf(schema);
  if (id !== undefined) return style.input !== null && holdsObject(id) ? writtenName(id) : id;
  const { type, written, readAs } = inTypeScript.get(schema) ?? {};
  const named = style.input === null ? type : (written ?? type);
  if (named !== undefined) return named;
  if (style.input === null && readAs !== undefined) return readAs;
  if (style.input === null) return printed(schema, MODEL);
  if (!isSpeltTwice(schema)) return printed(schema, style);
  return (['camel', 'snake'] as const).map((input) => printed(schema, { ...style, input })).join(' | ');
}

function printed(schema: Schema, style: Style = MODEL): string {
  const { readonly } = style;
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return def.type;
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'enum':
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(' | ');
    case 'optional':
      return typeOf(def.innerType, style);
    case 'nullable':
      return `${typeOf(def.innerType, style)} | null`;
    case 'readonly':
      return printed(def.innerType, { ...style, readonly: 'readonly ' });
    case 'union':
      return def.options.map((option) => typeOf(option, style)).join(' | ');
    case 'array':
      return `${readonly}(${typeOf(def.element, style)})[]`;
    case 'tuple':
      return `${readonly}[${def.items.map((item) => typeOf(item, style)).join(', ')}]`;
    case 'record': {
      const record = `Record<string, ${typeOf(def.valueType, style)}>`;
      return style.input === null ? record : `Readonly<${record}>`;
    }
    case 'object': {
      const lines = Object.entries(def.shape).map(([key, of]) => property(key, of, style));
      const index = inTypeScript.get(schema)?.index;
      if (index !== undefined) lines.push(`readonly [${index}: string]: unknown;`);
      return `{\n${lines.join('\n')}\n}`;
    }
    default:
      throw new Error(`print-types.ts does not know zod's type "${def.type}": add it there, or change the model`);
  }
}

function property(key: string, schema: Schema, style: Style): string {
  const type = typeOf(schema, style);
  const described = describedIn(schema);
  const isNeeded = style.input !== null && inTypeScript.get(described)?.needed === true;
  const optional = defOf(schema).type === 'optional' && !isNeeded;
  const name = style.input === 'snake' ? toSnake(key) : key;
  // The words of a model stand where it is declared.
  const words = notesOf(described).id === undefined ? comment(described) : '';
  // With `exactOptionalPropertyTypes`, too, a user may pass `undefined`.
  const orUndefined = optional && type !== 'unknown' ? ' | undefined' : '';
  return `${words}${style.readonly}${name}${optional ? '?' : ''}: ${type}${orUndefined};`;
}

/** The schema with the words for a property: itself, or what it makes optional. */
function describedIn(schema: Schema): Schema {
  const def = defOf(schema);
  const wraps = def.type === 'optional' || def.type === 'nullable';
  return wraps && notesOf(schema).description === undefined ? describedIn(def.innerType) : schema;
}

/** A formatter indents comments, but does not break their lines. */
const WIDTH = 111;

function comment(schema: Schema): string {
  const text = [notesOf(schema).description, inTypeScript.get(schema)?.also].filter(Boolean).join(' ');
  if (text === '') return '';
  if (text.length <= WIDTH) return `/** ${text} */\n`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(` ${word}`);
  }
  return `/**\n${lines.map((line) => ` *${line}\n`).join('')} */\n`;
}

/** zod's general type says nothing of a schema's parts; every schema is one of these. */
function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def;
}
