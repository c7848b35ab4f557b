import { parseValuePath } from '@agent-criteria/values';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { valueAt } from './final-state-checks.ts';

test('valueAt() finds only own properties', () => {
  const value = JSON.parse('{ "a": [{ "b": null }], "__proto__": { "c": 1 } }');
  expect(valueAt(value, ['a', 0, 'b'])).toBe(null);
  expect(valueAt(value, ['__proto__', 'c'])).toBe(1);
  for (const path of [['toString'], ['a', 'length'], ['a', '0'], ['a', 1], ['a', 0, 'b', 'c'], ['constructor']]) {
    expect(valueAt(value, path), path.join('.')).toBeUndefined();
  }
});

test('valueAt() finds every nested value by its path', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.nat(), { maxLength: 4 }), (value, choices) => {
      const path: (string | number)[] = [];
      let at: unknown = value;
      for (const choice of choices) {
        if (typeof at !== 'object' || at === null) break;
        const keys = Array.isArray(at) ? [...at.keys()] : Object.keys(at);
        const step = keys[choice % Math.max(keys.length, 1)];
        if (step === undefined) break;
        path.push(step);
        at = (at as Record<string | number, unknown>)[step];
      }
      expect(valueAt(value, path)).toBe(at);
    }),
    { numRuns: runs(1000) },
  );
});

test('valueAt() follows the paths that formatValuePath() writes', () => {
  expect(parseValuePath("cart['odd.key'][0].id")).toEqual({ path: ['cart', 'odd.key', 0, 'id'] });
});
