import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { checkSchema } from './check-schema.ts';
import { validate } from './validate.ts';

const paths = (value: unknown, schema: unknown) =>
  validate(value, schema).map(({ path, expected }) => `${path.join('.')}: ${expected}`);

describe('validate', () => {
  it.each<[schema: object | boolean, value: unknown, found: readonly string[]]>([
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
  ])('%j of %j', (schema, value, found) => {
    expect(checkSchema(schema)).toEqual([]);
    expect(paths(value, schema)).toEqual(found);
  });

  it('agrees with another validator on random schemas and values', () => {
    const leaf = fc.constantFrom<unknown>(null, true, 0, 1, 2, 2.5, '', 'a', 'ab', 'b');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), { maxKeys: 3 }),
      ),
    }));
    const { schema } = fc.letrec<{ schema: object | boolean }>((tie) => {
      const one = tie('schema');
      const list = fc.array(one, { minLength: 1, maxLength: 2 });
      const byName = fc.dictionary(fc.constantFrom('a', 'b'), one, { maxKeys: 2 });
      const count = fc.nat(3);
      const rules = fc.record(
        {
          type: fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'string', 'integer'),
          enum: fc.array(leaf, { minLength: 1, maxLength: 3 }),
          const: leaf,
          minimum: count,
          maximum: count,
          exclusiveMinimum: count,
          multipleOf: fc.constantFrom(1, 2, 0.5),
          minLength: count,
          maxLength: count,
          pattern: fc.constantFrom('^a', 'b$', '^$'),
          items: one,
          prefixItems: list,
          minItems: count,
          maxItems: count,
          uniqueItems: fc.boolean(),
          properties: byName,
          patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), one, { maxKeys: 1 }),
          additionalProperties: one,
          propertyNames: one,
          required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
          minProperties: count,
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: one,
          if: one,
          else: one,
        },
        { requiredKeys: [] },
      );
      return { schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), rules) };
    });
    fc.assert(
      fc.property(schema, value, (rules, one) => {
        expect(checkSchema(rules)).toEqual([]);
        const other = new Validator(rules, '2020-12').validate(one).valid;
        expect(validate(one, rules).length === 0, JSON.stringify(rules)).toBe(other);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('a schema or value made to run for ever ends', () => {
    const ladder = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `s${n}`,
        { anyOf: [{ $ref: `#/$defs/s${n + 1}` }, { $ref: `#/$defs/s${n + 1}` }] },
      ]),
    );
    const doubling = { $ref: '#/$defs/s0', $defs: { ...ladder, s60: false } };
    expect(checkSchema(doubling)).toEqual([]);
    expect(() => validate(1, doubling)).toThrow('steps');
    expect(() => validate(1, { $ref: '#' })).toThrow('nested deeper');
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(() => validate(deep, { items: { $ref: '#' } })).toThrow('nested deeper');
    expect(validate(deep, { type: 'array' })).toEqual([]);
    expect(validate(`${'a'.repeat(50_000)}!`, { pattern: '^(a+)+$' })).toHaveLength(1);
  });
});

describe('checkSchema', () => {
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
  ])('%j is refused', (schema, path, message) => {
    const [issue] = checkSchema(schema);
    expect(issue?.path.join('.')).toBe(path);
    expect(issue?.message).toContain(message);
  });

  it('takes what people and libraries write', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Order',
      type: 'object',
      properties: { id: { type: 'string', format: 'uuid', description: 'Its id.', 'x-order': 1 }, const: {}, enum: {} },
      required: ['id'],
      additionalProperties: false,
    };
    expect(checkSchema(schema)).toEqual([]);
  });
});
