import type * as z from 'zod/mini';
import { inTypeScript, namedModels, notesOf } from './models.ts';

// Prints the data model as TypeScript and leaves the layout to the formatter. It knows what the models use of zod, and
// throws at anything else.

type Schema = z.core.$ZodType;

/** The content of `src/data/model.ts`. */
export function printTypes(): string {
  const declarations = [...namedModels].map(([name, schema]) => {
    const type = printed(schema);
    const declared = type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    return `\n${comment(schema)}export ${declared}\n`;
  });
  return `// Written by scripts/write-schemas.ts from scripts/models.ts: change those, not this file.
import type { State } from '../json.ts';
${declarations.join('')}`;
}

/** A schema as a type: its name, where it has one. */
function typeOf(schema: Schema): string {
  return notesOf(schema).id ?? inTypeScript.get(schema)?.type ?? printed(schema);
}

/** @param readonly What stands before the properties or the list. */
function printed(schema: Schema, readonly: '' | 'readonly ' = ''): string {
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
      return typeOf(def.innerType);
    case 'nullable':
      return `${typeOf(def.innerType)} | null`;
    case 'readonly':
      return printed(def.innerType, 'readonly ');
    case 'union':
      return def.options.map(typeOf).join(' | ');
    case 'array':
      return `${readonly}(${typeOf(def.element)})[]`;
    case 'tuple':
      return `${readonly}[${def.items.map(typeOf).join(', ')}]`;
    case 'record':
      return `Record<string, ${typeOf(def.valueType)}>`;
    case 'object': {
      const lines = Object.entries(def.shape).map(([key, of]) => property(key, of, readonly));
      const index = inTypeScript.get(schema)?.index;
      if (index !== undefined) lines.push(`readonly [${index}: string]: unknown;`);
      return `{\n${lines.join('\n')}\n}`;
    }
    default:
      throw new Error(`print-types.ts does not know zod's type "${def.type}": add it there, or change the model`);
  }
}

function property(key: string, schema: Schema, readonly: string): string {
  const type = typeOf(schema);
  const optional = defOf(schema).type === 'optional';
  // The words of a model stand where it is declared.
  const described = describedIn(schema);
  const words = notesOf(described).id === undefined ? comment(described) : '';
  // With `exactOptionalPropertyTypes`, too, a user may pass `undefined`.
  const orUndefined = optional && type !== 'unknown' ? ' | undefined' : '';
  return `${words}${readonly}${key}${optional ? '?' : ''}: ${type}${orUndefined};`;
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
