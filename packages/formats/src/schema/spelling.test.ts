import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldOf, keyOf, toCamel, toSnake } from './spelling.ts';

it.each([
  ['evalId', 'eval_id'],
  ['evalMetricResultPerInvocation', 'eval_metric_result_per_invocation'],
  ['openAtMin', 'open_at_min'],
  ['rougeL', 'rouge_l'],
  ['v1', 'v1'],
  ['$schema', '$schema'],
  ['', ''],
])('%s and %s are spellings of one key', (camel, snake) => {
  expect(toSnake(camel)).toBe(snake);
  expect(toCamel(snake)).toBe(camel);
});

it('toSnake() reverses toCamel() for every key made of words', () => {
  const words = fc.array(fc.stringMatching(/^[a-z][a-z0-9]*$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, (list) => {
      const snake = list.join('_');
      expect(toSnake(toCamel(snake))).toBe(snake);
    }),
  );
});

it('keyOf() prefers the given spelling of a field', () => {
  expect(keyOf({ eval_id: 1 }, 'evalId')).toBe('eval_id');
  expect(keyOf({ eval_id: 1, evalId: 2 }, 'evalId')).toBe('evalId');
  expect(keyOf({ evalId: 1 }, 'eval_id')).toBe('evalId');
  expect(keyOf({}, 'toString')).toBeUndefined();
});

it('fieldOf() returns a field in either spelling, and undefined for inherited ones and other values', () => {
  expect(fieldOf({ eval_id: 1 }, 'evalId')).toBe(1);
  expect(fieldOf({ evalId: null }, 'eval_id')).toBeNull();
  for (const other of [{}, null, 'text', [1]]) expect(fieldOf(other, 'toString')).toBeUndefined();
});
