import { expect, it } from 'vitest';
import { CriteriaError } from '../errors.ts';
import { fits, is, readAs, type Schema } from './read-as.ts';

interface Plan {
  readonly id: string;
  readonly agent: { readonly name: string; readonly path: string | null };
  readonly repeats: number;
  readonly notes?: readonly string[];
}

const plan: Schema<Plan> = {
  id: is.text,
  agent: { name: is.text, path: is.orNull(is.text) },
  repeats: is.count,
  notes: is.optional(is.list(is.text)),
};
const good = { id: 'a', agent: { name: 'b', path: null }, repeats: 2, more: [] };

function problemOf(value: unknown) {
  try {
    return readAs(plan, value, { file: 'plan.json', message: (field) => `"${field}" is wrong` });
  } catch (error) {
    return CriteriaError.is(error) ? error.problems : error;
  }
}

it('readAs() returns the same object if it fits the schema', () => {
  expect(problemOf(good)).toBe(good);
  expect(problemOf({ ...good, notes: ['x'] })).toMatchObject({ notes: ['x'] });
});

it('readAs() reports the first field that does not fit', () => {
  const agent = { name: 'b', path: 5 };
  expect(problemOf({ ...good, agent, repeats: -1 })).toEqual([
    { code: 'INVALID_DATA', file: 'plan.json', path: '$.agent.path', message: '"agent.path" is wrong' },
  ]);
  expect(problemOf({ ...good, notes: [1] })).toMatchObject([{ path: '$.notes' }]);
  expect(problemOf([])).toMatchObject([{ path: '$', message: '"" is wrong' }]);
});

it.each<[Schema, unknown, unknown]>([
  [is.count, 0, 1.5],
  [is.count, 3, '3'],
  [is.time, -8.64e15, Number.NaN],
  [is.flag, false, 0],
  [is.number, Number.NaN, '1'],
  [is.object, {}, []],
  [is.map(is.text), { a: 'b' }, { a: 1 }],
  [is.list({ a: is.text }), [{ a: '' }], [{}]],
  [is.orNull(is.text), null, undefined],
  [is.optional(is.text), undefined, null],
])('fits() with %s accepts %j and rejects %j', (schema, right, wrong) => {
  expect([fits(schema, right), fits(schema, wrong)]).toEqual([true, false]);
});
