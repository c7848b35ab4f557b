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

it('a new row of a known kind is explained, and one of another kind is not', () => {
  expect(problemOf(ofKind([shouts], 'VALID', { adk: 0, compat: 1, ours: 1 }))).toBeNull();
  expect(problemOf(ofKind([shouts], 'valid!', { adk: 0, compat: 0, ours: 1 }))).toContain(
    'no line of docs/adk-parity.md',
  );
});

it('a row of a kind must come to exactly what the kind says', () => {
  expect(problemOf(ofKind([shouts], 'VALID', { adk: 0, compat: 1, ours: 2 }))).toContain('wants 1');
  expect(problemOf(ofKind([shouts], 'VALID', { adk: 0, compat: 0, ours: 1 }))).toContain('in compat mode');
});

it('a kind explains nothing where ADK gives the same', () => {
  expect(ofKind([shouts], 'VALID', { adk: 1, compat: 1, ours: 1 })).not.toHaveProperty('lines');
});

it('two kinds that disagree about a row are a mistake', () => {
  const other = { ...shouts, why: 'other', comesTo: () => 0 };
  expect(() => ofKind([shouts, other], 'VALID', { adk: 0, compat: 1, ours: 1 })).toThrow('two kinds that disagree');
});
