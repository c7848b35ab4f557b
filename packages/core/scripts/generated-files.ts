import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { knownCriteria } from '../../runner/src/advice/known-plugins.ts';
import { isObject, type JsonSchema } from '../src/json.ts';
import { toSnake } from '../src/schema/spelling.ts';
import { modelSchemas } from './models.ts';
import { printTypes, printWritten } from './print-types.ts';

/** The text of every file that is made from the models, by its path in this package. */
export function generatedFiles(): Record<string, string> {
  const models = modelSchemas();
  const json = {
    // What runs needs no words.
    'src/data/models.json': mapSchemas(models, ({ description: _, ...schema }) => schema),
    'schemas/eval-set.schema.json': withOneConversation(editorSchema('EvalSet', models, { closed: false })),
    // An unknown key in a config is an error, also where ADK drops it.
    'schemas/eval-config.schema.json': withKnownCriteria(editorSchema('EvalConfig', models, { closed: true })),
  };
  const texts = Object.entries(json).map(([file, schema]) => [file, JSON.stringify(schema, null, 2)]);
  return Object.fromEntries(
    [
      ...texts,
      ['src/data/model.ts', printTypes()],
      ['src/data/written.ts', printWritten(['EvalSet', 'EvalConfig'])],
    ].map(([file = '', text = '']) => [file, formatted(file, text)]),
  );
}

/** As the linter wants it. */
function formatted(file: string, text: string): string {
  const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
  return execFileSync(biome, ['format', '--stdin-file-path', `packages/core/${file}`], {
    input: text,
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
  });
}

/** A schema for editors: every key in both spellings, with what it means. */
function editorSchema(root: string, models: Record<string, JsonSchema>, options: { closed: boolean }): JsonSchema {
  const inBothSpellings = (schema: JsonSchema): JsonSchema => {
    const { 'x-snake-only': _, 'x-own': __, properties, required, ...rest } = schema;
    if (!isObject(properties)) return schema;
    const needed = (Array.isArray(required) ? required : []).map(String);
    const twice = needed.filter((key) => toSnake(key) !== key);
    const once = needed.filter((key) => toSnake(key) === key);
    return {
      ...rest,
      // snake_case first: it is what ADK writes, and what an editor offers first.
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

/** A case has one of its two kinds of conversation. (That it has not both is for `parseEvalSet` to say.) */
function withOneConversation(schema: JsonSchema): JsonSchema {
  const keys = ['conversation', 'conversation_scenario', 'conversationScenario'];
  const rule = { anyOf: keys.map((key) => ({ required: [key] })) };
  return mapKey(schema, ['$defs', 'EvalCase', 'allOf'], (rules) => [...(Array.isArray(rules) ? rules : []), rule]);
}

/** An editor completes our criteria by name, and knows the range of a threshold. Others are free to have any name. */
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

/** Applies a function to every schema in a map of schemas, the innermost first; what is no schema stays. */
function mapSchemas(schemas: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const map = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(map);
    if (!isObject(schema)) return schema;
    return change(
      Object.fromEntries(
        Object.entries(schema).map(([keyword, value]) => [
          keyword,
          keyword === 'properties' && isObject(value) ? mapSchemas(value, change) : map(value),
        ]),
      ),
    );
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]));
}
