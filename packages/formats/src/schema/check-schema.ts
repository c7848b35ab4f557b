import { isObject, type JsonSchema } from '../json.ts';
import { resolveReference } from './structure.ts';
import { textFormats } from './text-formats.ts';
import { type CompilePattern, compileRegExp, type Violation, validate } from './validate.ts';

const SCHEMA = { $ref: '#' };
const BY_NAME = { type: 'object', additionalProperties: SCHEMA };
const TYPE = { enum: ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] };

/** The schema of each keyword's content. */
const KEYWORDS: JsonSchema = {
  type: { anyOf: [TYPE, { type: 'array', items: TYPE, minItems: 1 }] },
  enum: { type: 'array' },
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  pattern: { type: 'string', format: 'regex' },
  format: { enum: [...textFormats.keys(), 'regex'] },
  required: { type: 'array', items: { type: 'string' } },
  uniqueItems: { type: 'boolean' },
  $ref: { type: 'string' },
  patternProperties: { ...BY_NAME, propertyNames: { format: 'regex' } },
  ...all('properties $defs definitions', BY_NAME),
  ...all('items additionalProperties propertyNames not if then else', SCHEMA),
  ...all('allOf anyOf oneOf prefixItems', { type: 'array', items: SCHEMA, minItems: 1 }),
  ...all('minimum maximum exclusiveMinimum exclusiveMaximum', { type: 'number' }),
  ...all('minLength maxLength minItems maxItems minProperties maxProperties', { type: 'integer', minimum: 0 }),
  // These are annotations, and `const`, which allows any value.
  ...all('const $schema $id $comment title description default examples deprecated readOnly writeOnly', true),
};

function all(keywords: string, schema: unknown): JsonSchema {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, schema]));
}

/**
 * The meta-schema of the schemas that `validate` supports. Other keywords are rejected, because users would assume that
 * they are checked.
 */
const META = {
  type: ['object', 'boolean'],
  properties: KEYWORDS,
  patternProperties: { '^x-': true },
  additionalProperties: false,
};

/** The keywords that `validate` supports, for "did you mean". Keywords that start with `x-` are annotations, too. */
export const schemaKeywords: readonly string[] = Object.keys(KEYWORDS);

/**
 * Finds the mistakes in a JSON Schema: keywords that `validate` does not read (`keyword` is `false`), wrong contents,
 * and references that lead nowhere, including remote ones (`keyword` is `$ref`). Returns an empty list for a schema
 * that `validate` accepts.
 *
 * @throws Error if the schema is nested too deeply or takes too many steps.
 */
export function checkSchema(schema: unknown, compile?: CompilePattern): readonly Violation[] {
  const found = validate(schema, META, (pattern) => {
    // Handles META's own pattern here, so that no engine is loaded for a schema without patterns.
    return pattern === '^x-' ? (text) => text.startsWith('x-') : (compile ?? compileRegExp)(pattern);
  });
  return found.length > 0 ? found : lostReferences(schema, schema, []);
}

function lostReferences(at: unknown, root: unknown, path: Violation['path']): readonly Violation[] {
  if (Array.isArray(at)) return at.flatMap((item, index) => lostReferences(item, root, [...path, index]));
  if (!isObject(at)) return [];
  return Object.entries(at).flatMap(([key, value]): readonly Violation[] => {
    const here = [...path, key];
    if (key !== '$ref' || typeof value !== 'string') {
      return key === 'const' || key === 'enum' ? [] : lostReferences(value, root, here);
    }
    return resolveReference(value, root) === undefined
      ? [{ path: here, keyword: '$ref', rule: null, actual: value }]
      : [];
  });
}
