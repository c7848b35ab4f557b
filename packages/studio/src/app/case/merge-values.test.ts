import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import { mergeValues } from './merge-values.ts';

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));

it('mergeValues() takes changes made on only one side', () => {
  fc.assert(
    fc.property(json, json, (base, changed) => {
      expect(mergeValues(base, changed, base)).toMatchObject({ conflicts: [] });
      expect(mergeValues(base, changed, base).value).toEqual(changed);
      expect(mergeValues(base, base, changed).value).toEqual(changed);
      expect(mergeValues(base, changed, changed)).toEqual({ value: changed, conflicts: [], theirs: [], mine: [] });
    }),
    { numRuns: runs(500) },
  );
});

it('mergeValues() merges changes in different fields and turns', () => {
  const base = { id: 'a', turns: [{ user: 'Hi', answer: 'Hello' }, { user: 'Bye' }], state: { city: 'Rome' } };
  const theirs = { ...base, turns: [{ user: 'Hi', answer: 'Good day' }, { user: 'Bye' }], tags: ['smoke'] };
  const mine = { ...base, turns: [{ user: 'Hi', answer: 'Hello' }, { user: 'See you' }], state: { city: 'Oslo' } };
  expect(mergeValues(base, theirs, mine)).toEqual({
    value: {
      id: 'a',
      turns: [{ user: 'Hi', answer: 'Good day' }, { user: 'See you' }],
      state: { city: 'Oslo' },
      tags: ['smoke'],
    },
    conflicts: [],
    theirs: ['turns[0].answer', 'tags'],
    mine: ['turns[1].user', 'state.city'],
  });
});

it('mergeValues() reports a value that both sides changed as a conflict and lets either version be chosen', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (from, their, my) => {
      fc.pre(new Set([from, their, my]).size === 3);
      const merge = (take?: string) =>
        mergeValues(
          { x: { y: from } },
          { x: { y: their } },
          { x: { y: my } },
          new Set(take === undefined ? [] : [take]),
        );
      expect(merge()).toMatchObject({ value: { x: { y: my } }, conflicts: [{ path: 'x.y', theirs: their, mine: my }] });
      expect(merge('x.y').value).toEqual({ x: { y: their } });
    }),
    { numRuns: runs(100) },
  );
});

it('mergeValues() takes a deletion unless the other side changed the deleted value', () => {
  expect(mergeValues({ a: 1, b: 2 }, { b: 2 }, { a: 1, b: 3 }).value).toEqual({ b: 3 });
  expect(mergeValues({ a: 1 }, {}, { a: 2 }).conflicts).toEqual([{ path: 'a', theirs: undefined, mine: 2 }]);
  expect(mergeValues({ a: [1, 2] }, { a: [1] }, { a: [1, 2, 3] }).conflicts).toHaveLength(1);
  expect(mergeValues({ a: 1 }, {}, { a: 2 }, new Set(['a'])).value).toEqual({});
});
