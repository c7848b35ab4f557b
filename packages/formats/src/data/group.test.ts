import { expect, it } from 'vitest';
import { evalCase, turn } from '../eval-set/builders.ts';
import { groupOf, mistakeInGroup } from './case-keys.ts';

it('a case has the group that it was given, and keeps its tags beside it', () => {
  const one = evalCase('oslo', [turn('Hello')], { group: 'cities', tags: ['smoke'] });
  expect(one.agentCriteria).toEqual({ group: 'cities', tags: ['smoke'] });
  expect(groupOf(one)).toBe('cities');
  expect(groupOf({ agentCriteria: { group: '' } })).toBeNull();
  expect(groupOf({})).toBeNull();
});

it('a group that is no name is a mistake', () => {
  expect(mistakeInGroup({ group: 'cities' })).toBeNull();
  expect(mistakeInGroup(undefined)).toBeNull();
  for (const group of ['', ' ', 3, null, ['a']])
    expect(mistakeInGroup({ group })).toContain('must be a non-empty string');
});
