import { compilePattern } from '@agent-criteria/values';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { literalPattern, wholePattern } from './literal-pattern.ts';
import { openTextChecks, type TextChecks } from './text-checks.ts';

function optionsOf(add: (checks: TextChecks) => void) {
  const checks = openTextChecks();
  add(checks);
  return checks.options();
}

describe('checks of texts', () => {
  test('are options of response_checks', () => {
    const options = optionsOf((checks) => {
      checks.contains('a', false);
      checks.contains('b', false);
      checks.excludes('c', false);
      checks.equals('d');
      checks.words({ min: 2 });
      checks.words({ min: 3, max: 9 });
      checks.json();
    });
    expect(options).toEqual({
      contains: ['a', 'b'],
      excludes: ['c'],
      equals: 'd',
      min_words: 3,
      max_words: 9,
      json: true,
    });
  });

  test('for which case does not count are all folded, or patterns beside those for which it does', () => {
    const folded = optionsOf((checks) => {
      checks.contains('a', true);
      checks.containsAny(['b', 'c'], true);
    });
    expect(folded).toEqual({ contains: ['a'], contains_any: ['b', 'c'], ignore_case: true });
    const mixed = optionsOf((checks) => {
      checks.contains('A', false);
      checks.contains('b.', true);
      checks.excludes('c', true);
      checks.containsAny(['d', 'e'], true);
    });
    expect(mixed).toEqual({ contains: ['A'], matches: ['(?i)b\\.', '(?i)(?:d|e)'], matches_none: ['(?i)c'] });
  });

  test('that ask for several whole texts all have to hold', () => {
    const options = optionsOf((checks) => {
      checks.equals('a');
      checks.equals('b');
      checks.containsAny(['c'], false);
      checks.containsAny(['d'], false);
    });
    expect(options).toEqual({ contains_any: ['c'], equals: 'a', matches: ['d', '\\Ab\\z'] });
  });

  test('with several schemas are one schema, and none are no options', () => {
    const options = optionsOf((checks) => {
      checks.schema({ type: 'object' });
      checks.schema({ required: ['a'] });
    });
    expect(options).toEqual({ json_schema: { allOf: [{ type: 'object' }, { required: ['a'] }] } });
    expect(optionsOf(() => undefined)).toBeNull();
  });
});

test('the pattern of a text matches that text and no other', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (text, more) => {
      const whole = compilePattern(wholePattern(text));
      expect([whole.isIn(text), whole.isIn(text + more), whole.isIn(more + text)]).toEqual([true, false, false]);
      expect(compilePattern(literalPattern(text)).isIn(more + text + more)).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});
