import { expect, it } from 'vitest';
import { problemOf } from './held.ts';
import { type Kind, ofKind } from './kinds.ts';

const line = 'judge-answers';
const shouts: Kind<string, number> = {
  why: 'capital letters are read here',
  line,
  applies: (text) => /[A-Z]/.test(text),
  comesTo: () => 1,
};

it('a row is explained if and only if it is of a known kind', () => {
  expect(problemOf(ofKind([shouts], 'VALID', { adk: 0, compat: 1, ours: 1 }))).toBeNull();
  expect(problemOf(ofKind([shouts], 'valid!', { adk: 0, compat: 0, ours: 1 }))).toContain(
    'no line of docs/adk-parity.md',
  );
});

it('a row must have exactly the result of its kind', () => {
  expect(problemOf(ofKind([shouts], 'VALID', { adk: 0, compat: 1, ours: 2 }))).toContain('wants 1');
  expect(problemOf(ofKind([shouts], 'VALID', { adk: 0, compat: 0, ours: 1 }))).toContain('in compat mode');
});

it('a kind explains nothing if ADK gives the same result', () => {
  expect(ofKind([shouts], 'VALID', { adk: 1, compat: 1, ours: 1 })).not.toHaveProperty('lines');
});

it('a row of two kinds that disagree throws', () => {
  const other = { ...shouts, why: 'other', comesTo: () => 0 };
  expect(() => ofKind([shouts, other], 'VALID', { adk: 0, compat: 1, ours: 1 })).toThrow('two kinds that disagree');
});
