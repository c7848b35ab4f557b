import { expect, test } from 'vitest';
import { stem } from './porter-stemmer.ts';

// The golden list is in test/golden-rows; here is what it has no word for.

test('capitals make no difference', () => {
  expect(['Skies', 'NEWS', 'Running'].map(stem)).toEqual(['sky', 'news', 'run']);
});

test('long runs of y take linear time', { timeout: 30_000 }, () => {
  for (const suffix of ['', 'ing', 'ed', 'ness', 'ational', 'y']) {
    expect(stem('y'.repeat(200_000) + suffix).length).toBeGreaterThan(199_000);
  }
});

test('names of object properties are words like others', () => {
  expect(['constructor', '__proto__', 'valueof'].map(stem)).toEqual(['constructor', '__proto__', 'valueof']);
});
