import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { editorSchemas } from '../scripts/editor-schemas.ts';

const root = new URL('../', import.meta.url);
const load = (file: string): unknown => JSON.parse(readFileSync(new URL(file, root), 'utf8'));

it.each(Object.entries(editorSchemas()))('the editor schema %s is up to date (else run pnpm models)', (file, text) => {
  expect(readFileSync(new URL(file, root), 'utf8')).toBe(text);
});

// Reads the published schemas with zod as an independent validator.
const schemas = {
  config: z.fromJSONSchema(load('packages/core/schemas/eval-config.schema.json') as z.core.JSONSchema.JSONSchema),
  evalset: z.fromJSONSchema(load('packages/core/schemas/eval-set.schema.json') as z.core.JSONSchema.JSONSchema),
};

describe('the editor schemas', () => {
  const folder = 'packages/conformance/files';
  const files = readdirSync(new URL(folder, root));

  it.each(files.filter((file) => file.includes('.config.')))('accept %s', (file) => {
    expect(schemas.config.safeParse(load(`${folder}/${file}`)).error).toBeUndefined();
  });

  it.each(
    files.filter(
      (file) =>
        /evalset\.json|migrated|^camel-case\.written|minimal/.test(file) && !/^old-cases\.evalset|unknown/.test(file),
    ),
  )('accept %s', (file) => {
    expect(schemas.evalset.safeParse(load(`${folder}/${file}`)).error).toBeUndefined();
  });

  it.each([
    { criterias: {} },
    { criteria: { x: '0.8' } },
    { criteria: { x: { min_coverage: 2 } } },
    { custom_metrics: { x: { code_config: { name: 'a', args: [] } } } },
  ])('reject the config %j', (config) => {
    expect(schemas.config.safeParse(config).success).toBe(false);
  });

  it.each([
    [],
    { eval_set_id: 's', eval_cases: {} },
    { eval_set_id: 's', eval_cases: [{ eval_id: 'x', conversation: [{ user_content: { foo: 1 } }] }] },
    { evalSetId: 's', evalCases: [{ evalId: 'x', conversation: [{ userContent: { parts: ['a'] } }] }] },
  ])('reject the eval set %j', (evalSet) => {
    expect(schemas.evalset.safeParse(evalSet).success).toBe(false);
  });

  it('accept short turns without other keys', () => {
    const evalSet = load('packages/core/schemas/eval-set.schema.json') as z.core.JSONSchema.JSONSchema;
    const turn = z.fromJSONSchema({ $ref: '#/$defs/ShortTurn', $defs: evalSet.$defs });
    const short = { user: 'Hi', answer: 'Hello', calls: [{ name: 'a', args: {} }], rubrics: [] };
    const conversation = [short, { user_content: { parts: [{ text: 'Hi' }] } }];
    const set = { eval_set_id: 's', eval_cases: [{ eval_id: 'x', conversation }] };
    expect(schemas.evalset.safeParse(set).error).toBeUndefined();
    const accepted = [short, { user: 1 }, { answer: 'x' }, { user: 'Hi', anwser: 'x' }, { ...short, user_content: {} }];
    expect(accepted.map((one) => turn.safeParse(one).success)).toEqual([true, false, false, false, false]);
  });

  it('require a key in either spelling', () => {
    const evalSet = load('packages/core/schemas/eval-set.schema.json') as Record<string, unknown>;
    expect(evalSet.allOf).toEqual([
      { anyOf: [{ required: ['eval_set_id'] }, { required: ['evalSetId'] }] },
      { anyOf: [{ required: ['eval_cases'] }, { required: ['evalCases'] }] },
    ]);
  });
});
