import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { selectCases } from './read-eval-set.ts';

const set = evalSet(['a', 'b', 'c'].map((id) => evalCase(id, [{ user: id }])));

describe('selectCases', () => {
  it("keeps the set's order and selects each case only once", () => {
    const chosen = selectCases(set, ['c', 'a', 'c']);
    expect(chosen.evalCases.map(({ evalId }) => evalId)).toEqual(['a', 'c']);
    expect(set.evalCases).toHaveLength(3);
  });

  it('selects all cases if no ids are given', () => {
    expect(selectCases(set, undefined)).toBe(set);
    expect(selectCases(set, [])).toBe(set);
  });

  it('rejects every unknown id and lists the known ones', () => {
    expect(() => selectCases(set, ['a', 'x', 'y'], 'my.evalset.json')).toThrow(
      'my.evalset.json: the eval set "set" has no case "x"; it has: a, b, c\n' +
        'my.evalset.json: the eval set "set" has no case "y"; it has: a, b, c',
    );
  });

  it('truncates a long list of ids', () => {
    const many = evalSet(Array.from({ length: 25 }, (_, index) => evalCase(`case${index}`, [{ user: 'Hello' }])));
    expect(() => selectCases(many, ['x'])).toThrow(/case0, .*case19, and 5 more$/);
  });
});
