import { formatted } from '../packages/formats/scripts/format.ts';
import { mapSchemas } from '../packages/formats/scripts/map-schemas.ts';
import { modelSchemas } from '../packages/formats/scripts/models.ts';
import { isObject, type JsonSchema } from '../packages/formats/src/json.ts';
import { toSnake } from '../packages/formats/src/schema/spelling.ts';
import { knownCriteria } from '../packages/runner/src/advice/known-plugins.ts';

/** Returns the text of the JSON Schemas that core publishes for editors, by their path in the repository. */
export function editorSchemas(): Record<string, string> {
  const models = modelSchemas();
  const schemas = {
    'packages/core/schemas/eval-set.schema.json': withOneConversation(
      editorSchema('EvalSet', models, { closed: false }),
    ),
    // An unknown key in a config is an error, even if ADK drops it.
    'packages/core/schemas/eval-config.schema.json': withKnownCriteria(
      editorSchema('EvalConfig', models, { closed: true }),
    ),
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([file, schema]) => [file, formatted(file, JSON.stringify(schema, null, 2))]),
  );
}

/** Returns a schema for editors: every key in both spellings, with its description. */
function editorSchema(root: string, models: Record<string, JsonSchema>, options: { closed: boolean }): JsonSchema {
  const inBothSpellings = (schema: JsonSchema): JsonSchema => {
    const { 'x-snake-only': _, 'x-own': __, properties, required, ...rest } = schema;
    if (!isObject(properties)) return schema;
    const needed = (Array.isArray(required) ? required : []).map(String);
    const twice = needed.filter((key) => toSnake(key) !== key);
    const once = needed.filter((key) => toSnake(key) === key);
    return {
      ...rest,
      // snake_case comes first, because ADK writes it and editors offer the first key first.
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([key, value]) =>
          [...new Set([toSnake(key), key])].map((name) => [name, value]),
        ),
      ),
      ...(once.length > 0 ? { required: once } : {}),
      ...(twice.length > 0
        ? { allOf: twice.map((key) => ({ anyOf: [{ required: [toSnake(key)] }, { required: [key] }] })) }
        : {}),
      ...(options.closed && rest.additionalProperties === undefined ? { additionalProperties: false } : {}),
    };
  };
  const all = mapSchemas(models, inBothSpellings);
  const { [root]: top, ...others } = all;
  const $defs = Object.fromEntries(Object.entries(others).filter(([name]) => reachable(root, all).has(name)));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: root,
    ...(top as JsonSchema),
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  };
}

/** Requires one of a case's two kinds of conversation. (`parseEvalSet` reports a case that has both.) */
function withOneConversation(schema: JsonSchema): JsonSchema {
  const keys = ['conversation', 'conversation_scenario', 'conversationScenario'];
  const rule = { anyOf: keys.map((key) => ({ required: [key] })) };
  return mapKey(schema, ['$defs', 'EvalCase', 'allOf'], (rules) => [...(Array.isArray(rules) ? rules : []), rule]);
}

/** Lets editors complete our criteria by name and check the range of a threshold. Other criteria may have any name. */
function withKnownCriteria(schema: JsonSchema): JsonSchema {
  const entries = knownCriteria.map(({ name, description, range }) => {
    const [minimum, maximum] = range
      .replace(/^from | up$/g, '')
      .split(' to ')
      .map(Number);
    const threshold = { type: 'number', minimum, maximum };
    const entry = {
      allOf: [{ $ref: '#/$defs/CriterionConfig' }],
      type: 'object',
      properties: { threshold },
      required: ['threshold'],
    };
    return [name, { description, anyOf: [threshold, entry] }];
  });
  const named = mapKey(schema, ['properties', 'criteria', 'properties'], () => Object.fromEntries(entries));
  return mapKey(named, ['required'], () => ['criteria']);
}

function mapKey(value: unknown, path: readonly string[], change: (found: unknown) => unknown): JsonSchema {
  const [key = '', ...rest] = path;
  const object = isObject(value) ? value : {};
  return { ...object, [key]: rest.length === 0 ? change(object[key]) : mapKey(object[key], rest, change) };
}

function reachable(name: string, models: JsonSchema, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, next] of JSON.stringify(models[name]).matchAll(/"#\/\$defs\/(\w+)"/g))
    reachable(String(next), models, seen);
  return seen;
}
