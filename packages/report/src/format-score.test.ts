import type { FunctionCall } from '@agent-criteria/core';
import { alignCalls } from '@agent-criteria/viewer';
import { describe, expect, it } from 'vitest';
import { formatScore } from './case-facts.ts';
import { formatRows } from './format-calls.ts';
import { sideBySide, wordDiff } from './format-score.ts';
import { styleOf } from './style.ts';

const style = styleOf({});

describe('formatScore()', () => {
  it.each([
    [null, 0.8, '-'],
    [1, 0.8, '1'],
    [0.7999999, 0.8, '0.7999999'],
    [2 / 3, null, '0.667'],
    [0.20004, 0.2, '0.20004'],
    [0.8, 0.8, '0.8'],
    [-0.0001, 0.5, '-0.0001'],
    [1234.5678, null, '1234.568'],
    // Rounding must not move a score across the threshold.
    [1.001, 1.001, '1.001'],
    [0.20049, 0.2004, '0.2005'],
    [0.20049, 0.2005, '0.2'],
    [0.0004, 0, '0.0004'],
  ])('formats %d with the threshold %d as %s', (value, threshold, shown) => {
    expect(formatScore(value, threshold)).toBe(shown);
  });
});

describe('wordDiff()', () => {
  it('marks missing and extra words in similar texts', () => {
    expect(wordDiff('The lamp is now on.', 'The lamp is off.', style)).toBe('The lamp is [-now on-]{+off+}.');
    expect(wordDiff('ランプがつきました', 'ランプが消えました', style)).toBe('ランプが[-つき-]{+消え+}ました');
  });

  it('returns null for texts that are too different or too long', () => {
    expect(wordDiff('The lamp is on.', 'I did not understand.', style)).toBeNull();
    expect(wordDiff('a '.repeat(4000), 'a '.repeat(4000), style)).toBeNull();
  });
});

describe('sideBySide()', () => {
  it('shows both texts in full if they are short or details are requested', () => {
    expect(sideBySide('abc', 'abd', false)).toEqual(['abc', 'abd']);
    const long = 'x'.repeat(5000);
    expect(sideBySide(`${long}a`, `${long}b`, true)).toEqual([`${long}a`, `${long}b`]);
  });

  it('shows long texts from just before the point where they differ', () => {
    const [expected, actual] = sideBySide(`${'x'.repeat(5000)}a${'y'.repeat(5000)}`, `${'x'.repeat(5000)}b`, false);
    expect(expected).toBe(`…${'x'.repeat(60)}a${'y'.repeat(539)}…`);
    expect(actual).toBe(`…${'x'.repeat(60)}b`);
  });
});

describe('formatRows()', () => {
  const call = (name: string, args?: Record<string, unknown>) => ({ name, args });
  const steps = (...calls: FunctionCall[]) => calls.map((each) => ({ call: each, response: null }));
  const rowsOf = (expected: FunctionCall[], made: FunctionCall[]) => alignCalls(expected, steps(...made), []).rows;

  it('shows one call per line, and the actual call next to an expected one that differs', () => {
    const rows = rowsOf(
      [call('a'), call('b', { n: 1 }), call('c'), call('d')],
      [call('a'), call('b', { n: 2 }), call('x'), call('d')],
    );
    expect(formatRows(rows, style)).toBe('  a()\n- b({"n":1})\n+ b({"n":2})\n- c()\n+ x()\n  d()');
  });

  it('truncates very long lists of differences', () => {
    const many = (name: string) => Array.from({ length: 5000 }, (_, index) => call(name + index));
    expect(formatRows(rowsOf(many('a'), many('b')), style).split('\n')).toHaveLength(21);
  });
});
