import { CriteriaError, isObject, type JsonSchema } from '@agent-criteria/formats';
import { respell } from '@agent-criteria/formats/schema';
import type { OptionsSchema } from './contracts/options-schema.ts';
import { SETTING } from './resolve/settings-as-options.ts';

/** What `respell` reads, and what says nothing of a value. */
const KEYWORDS = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', '$ref', '$defs'],
  ...['properties', 'additionalProperties', 'required', 'items', 'prefixItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
  ...['default', 'title', 'description', 'examples', 'deprecated', '$schema', '$comment', SETTING],
]);

/**
 * Options that a plain JSON Schema describes, checked by core itself.
 * @throws CriteriaError INVALID_PLUGIN for a keyword that core does not check: it must not look as if it did.
 */
export function jsonSchemaOptions(jsonSchema: JsonSchema): OptionsSchema<unknown, unknown> {
  const unknown = [...new Set(keywordsOf(jsonSchema))].filter((keyword) => !KEYWORDS.has(keyword));
  if (unknown.length > 0) {
    const message = `core does not check ${unknown.join(', ')} of a JSON Schema: leave it out and check the value in \`check\`, or give a schema that validates, as of zod`;
    throw new CriteriaError({ code: 'INVALID_PLUGIN', message });
  }
  return {
    jsonSchema,
    '~standard': {
      version: 1,
      vendor: 'agent-criteria',
      validate(value) {
        const { value: read, problems } = respell(value, jsonSchema);
        if (problems.length > 0) return { issues: problems.map(({ message }) => ({ message })) };
        return { value: withDefaults(read, jsonSchema) };
      },
    },
  };
}

function keywordsOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => [
    keyword,
    ...partsOf(keyword, value).flatMap(keywordsOf),
  ]);
}

/** The schemas that a keyword holds. */
function partsOf(keyword: string, value: unknown): readonly unknown[] {
  if (keyword === 'properties' || keyword === '$defs') return isObject(value) ? Object.values(value) : [];
  if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'prefixItems') return Array.isArray(value) ? value : [];
  return keyword === 'items' || keyword === 'additionalProperties' ? [value] : [];
}

/** The value with the defaults of the properties that it lacks. */
function withDefaults(value: unknown, schema: unknown): unknown {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [key, property] of Object.entries(schema.properties)) {
    const found = filled[key] ?? (isObject(property) ? structuredClone(property.default) : undefined);
    if (filled[key] === undefined && found !== undefined) filled[key] = found;
    if (filled[key] !== undefined) filled[key] = withDefaults(filled[key], property);
  }
  return filled;
}
