// Isolated: it checks whether a module is loaded.
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { type Matchers, matchTrajectory } from './match.ts';

test('re2js is loaded only with the first pattern', () => {
  const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('re2js'));
  const match = (matchers: Matchers) =>
    matchTrajectory([{ name: 'a', args: { id: 'ORD-2' } }], [{ name: 'a', args: { id: 'ORD-1' } }], { matchers }).score;
  expect(match({ a: { id: { ignore: true } } })).toBe(1);
  expect(isLoaded()).toBe(false);
  expect(match({ a: { id: { pattern: 'ORD-[0-9]' } } })).toBe(1);
  expect(isLoaded()).toBe(true);
});
