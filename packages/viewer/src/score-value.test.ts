import type { Score } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { isUnjudged, scoreValue } from './score-value.ts';

const part = (score: Score) => ({ id: 'part', kind: 'step' as const, ...score });
const unjudged: Score = { value: null, missing: 'could-not-judge' };
const notApplicable: Score = { value: null, missing: 'not-applicable' };

it.each<[Score, number | null, boolean]>([
  [{ value: 0.5 }, 0.5, false],
  [unjudged, null, true],
  [notApplicable, null, false],
  [{ parts: [part({ value: 0.7 }), part({ value: 0.7 }), part({ value: 0.7 })] }, 0.7, false],
  [{ parts: [part({ value: 1 }), part(unjudged), part(notApplicable)] }, 1, true],
  [{ parts: [part({ value: 1 }), part({ parts: [part({ value: 0 }), part({ value: 0.5 })] })] }, 0.625, false],
  [{ parts: [part({ value: 1 }), part({ parts: [part(unjudged)] })] }, 1, true],
  [{ parts: [part(notApplicable)] }, null, false],
  [{ parts: [] }, null, false],
])('for %j, scoreValue() is %s and isUnjudged() is %s', (score, value, lacks) => {
  expect(scoreValue(score)).toBe(value);
  expect(isUnjudged(score)).toBe(lacks);
});
