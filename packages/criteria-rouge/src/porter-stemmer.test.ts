import { expect, test } from 'vitest';
import { stem } from './porter-stemmer.ts';

// The golden list is in rouge.golden.test.ts; here is what it has no word for.

test('capitals make no difference', () => {
  expect(['Skies', 'NEWS', 'Running'].map(stem)).toEqual(['sky', 'news', 'run']);
});

test('long runs of y take linear time', () => {
  const start = performance.now();
  for (const suffix of ['', 'ing', 'ed', 'ness', 'ational', 'y']) stem('y'.repeat(200_000) + suffix);
  expect(performance.now() - start).toBeLessThan(2000);
});

test('names of object properties are words like others', () => {
  expect(['constructor', '__proto__', 'valueof'].map(stem)).toEqual(['constructor', '__proto__', 'valueof']);
});
