import { expect, test } from 'vitest';
import { stem } from './porter-stemmer.ts';

// The golden list is in test/golden-rows; these cases have no words there.

test('stem() ignores case', () => {
  expect(['Skies', 'NEWS', 'Running'].map(stem)).toEqual(['sky', 'news', 'run']);
});

test('stem() takes linear time for long runs of y', { timeout: 30_000 }, () => {
  for (const suffix of ['', 'ing', 'ed', 'ness', 'ational', 'y']) {
    expect(stem('y'.repeat(200_000) + suffix).length).toBeGreaterThan(199_000);
  }
});

test('stem() treats names of object properties as ordinary words', () => {
  expect(['constructor', '__proto__', 'valueof'].map(stem)).toEqual(['constructor', '__proto__', 'valueof']);
});
