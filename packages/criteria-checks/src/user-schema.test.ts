import { validate } from '@agent-criteria/formats/schema';
import { describe, expect, it } from 'vitest';
import { expectedBy, fitsSchema, schemaIssues } from './user-schema.ts';

const found = (value: unknown, schema: unknown) =>
  validate(value, schema).map(({ path, keyword, rule }) => `${path.join('.')}: ${expectedBy(keyword, rule)}`);

describe('fitsSchema()', () => {
  it.each<[schema: object | boolean, value: unknown, expected: readonly string[]]>([
    [{ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }, { id: 'x' }, ['id: integer']],
    [{ required: ['id'] }, {}, ['id: a value']],
    [{ items: { minimum: 3 } }, [5, 1, 2], ['1: at least 3', '2: at least 3']],
    [{ properties: { a: true }, additionalProperties: false }, { a: 1, b: 2 }, ['b: no value']],
    [{ type: ['string', 'null'], minLength: 2 }, '𝒳', [': at least 2 characters']],
    [{ pattern: '^a' }, 'ba', [': a text that matches ^a']],
    [{ patternProperties: { '^x': { type: 'number' } } }, { xa: '1', y: '1' }, ['xa: number']],
    [{ multipleOf: 0.1 }, 0.3, []],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [': a list without repeated values'],
    ],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { const: 1 } } }, 2, [': 1']],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    [{ if: { type: 'string' }, then: { minLength: 1 }, else: { minimum: 1 } }, 0, [': at least 1']],
    [{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, [': exactly one of [{"minimum":1},{"maximum":5}]']],
    [{ format: 'date' }, '2026-02-30', [': a text of the format date']],
    [{ format: 'date-time' }, '2026-02-28T23:59:60Z', []],
    [{ format: 'email' }, 'a@b@c', [': a text of the format email']],
    [{ properties: { toString: { type: 'number' } } }, {}, []],
    [{ required: ['toString', '__proto__'] }, {}, ['toString: a value', '__proto__: a value']],
    [false, 1, [': no value']],
  ])('with the schema %j, describes how %j violates it', (schema, value, expected) => {
    expect(schemaIssues(schema)).toEqual([]);
    expect(found(value, schema)).toEqual(expected);
  });
});

it('matches the patterns of a schema in linear time', () => {
  expect(fitsSchema(`${'a'.repeat(50_000)}!`, { pattern: '^(a+)+$' }, 'it').holds).toBe(false);
});

describe('schemaIssues()', () => {
  it.each<[schema: unknown, path: string, message: string]>([
    [{ propertees: {} }, 'propertees', 'did you mean "properties"'],
    [{ properties: { a: { unevaluatedItems: false } } }, 'properties.a.unevaluatedItems', 'it would never fail'],
    [{ pattern: 'a(?=b)' }, 'pattern', 'format regex'],
    [{ patternProperties: { '(': true } }, 'patternProperties.(', 'format regex'],
    [{ format: 'hostname' }, 'format', 'one of ["date"'],
    [{ type: 'strin' }, 'type', 'any of'],
    [{ minLength: -1 }, 'minLength', 'at least 0'],
    [{ items: [{}] }, 'items', 'object or boolean'],
    [{ $ref: 'https://example.com/schema' }, '$ref', 'leads nowhere'],
    [{ $ref: '#/$defs/__proto__', $defs: {} }, '$ref', 'leads nowhere'],
    ['text', '', 'object or boolean'],
  ])('rejects %j', (schema, path, message) => {
    const [issue] = schemaIssues(schema);
    expect(issue?.path.join('.')).toBe(path);
    expect(issue?.message).toContain(message);
  });

  it('finds no mistakes in schemas written by people and libraries', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Order',
      type: 'object',
      properties: { id: { type: 'string', format: 'uuid', description: 'Its id.', 'x-order': 1 }, const: {}, enum: {} },
      required: ['id'],
      additionalProperties: false,
    };
    expect(schemaIssues(schema)).toEqual([]);
  });
});
