import { expect, it } from 'vitest';
import { evalCase, turn } from '../eval-set/builders.ts';
import { groupOf, mistakeInGroup } from './case-keys.ts';

it('evalCase() keeps group and tags, and groupOf() returns the group', () => {
  const one = evalCase('oslo', [turn('Hello')], { group: 'cities', tags: ['smoke'] });
  expect(one.agentCriteria).toEqual({ group: 'cities', tags: ['smoke'] });
  expect(groupOf(one)).toBe('cities');
  expect(groupOf({ agentCriteria: { group: '' } })).toBeNull();
  expect(groupOf({})).toBeNull();
});

it('mistakeInGroup() rejects a group that is not a non-empty string', () => {
  expect(mistakeInGroup({ group: 'cities' })).toBeNull();
  expect(mistakeInGroup(undefined)).toBeNull();
  for (const group of ['', ' ', 3, null, ['a']])
    expect(mistakeInGroup({ group })).toContain('must be a non-empty string');
});
