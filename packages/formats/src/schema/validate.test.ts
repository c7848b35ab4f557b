import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { checkSchema } from './check-schema.ts';
import { validate } from './validate.ts';

describe('validate', () => {
  it('agrees with @cfworker/json-schema on random schemas and values', () => {
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

  it('throws for exponential and endless schemas, and for values that are nested too deeply', () => {
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
  });
});

describe('checkSchema', () => {
  it('returns the path and keyword of each mistake in a schema', () => {
    expect(checkSchema({ minLength: -1 })).toEqual([{ path: ['minLength'], keyword: 'minimum', rule: 0, actual: -1 }]);
    expect(checkSchema({ contains: {} })).toMatchObject([{ path: ['contains'], keyword: 'false' }]);
    expect(checkSchema({ $ref: '#/nowhere' })).toMatchObject([{ path: ['$ref'], keyword: '$ref' }]);
    expect(checkSchema({ 'x-order': 1, anyOf: [{ const: 1 }, { $ref: '#/anyOf/0' }] })).toEqual([]);
  });
});
