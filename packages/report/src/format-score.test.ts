import type { FunctionCall, Json, Score } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { formatScore } from './case-facts.ts';
import { alignCalls, formatRows, isSame } from './format-calls.ts';
import { sideBySide, wordDiff } from './format-score.ts';
import { lookOf } from './look.ts';

const look = lookOf({});

describe('formatScore', () => {
  it.each([
    [null, 0.8, '-'],
    [1, 0.8, '1'],
    [0.7999999, 0.8, '0.799'],
    [2 / 3, null, '0.666'],
    [0.20004, 0.2, '0.20004'],
    [0.8, 0.8, '0.8'],
    [-0.0001, 0.5, '-0.0001'],
    [1234.5678, null, '1234.567'],
    // Cut, it would stand on the other side of the threshold.
    [1.001, 1.001, '1.001'],
    [0.20049, 0.2004, '0.20049'],
    [0.20049, 0.2005, '0.2'],
    [0.0004, 0, '0.0004'],
  ])('shows %d beside the threshold %d as %s', (value, threshold, shown) => {
    expect(formatScore(value, threshold)).toBe(shown);
  });
});

describe('wordDiff', () => {
  it('marks what is missing and what is extra, in texts that are alike', () => {
    expect(wordDiff('The lamp is now on.', 'The lamp is off.', look)).toBe('The lamp is [-now on-]{+off+}.');
    expect(wordDiff('ランプがつきました', 'ランプが消えました', look)).toBe('ランプが[-つき-]{+消え+}ました');
  });

  it('is none for texts that are not, or are long', () => {
    expect(wordDiff('The lamp is on.', 'I did not understand.', look)).toBeNull();
    expect(wordDiff('a '.repeat(4000), 'a '.repeat(4000), look)).toBeNull();
  });
});

describe('sideBySide', () => {
  it('shows both in full where that is short or wanted', () => {
    expect(sideBySide('abc', 'abd', false)).toEqual(['abc', 'abd']);
    const long = 'x'.repeat(5000);
    expect(sideBySide(`${long}a`, `${long}b`, true)).toEqual([`${long}a`, `${long}b`]);
  });

  it('shows long texts from a little before they differ', () => {
    const [expected, actual] = sideBySide(`${'x'.repeat(5000)}a${'y'.repeat(5000)}`, `${'x'.repeat(5000)}b`, false);
    expect(expected).toBe(`…${'x'.repeat(60)}a${'y'.repeat(539)}…`);
    expect(actual).toBe(`…${'x'.repeat(60)}b`);
  });
});

describe('calls', () => {
  const call = (name: string, args?: Record<string, unknown>) => ({ name, args });

  it('are the same whatever the order of their arguments, and without any as with none', () => {
    expect(isSame(call('a', { x: 1, y: { p: 1, q: 2 } }), call('a', { y: { q: 2, p: 1 }, x: 1 }))).toBe(true);
    expect(isSame(call('a'), call('a', {}))).toBe(true);
    expect(isSame(call('a', { x: [1, 2] }), call('a', { x: [2, 1] }))).toBe(false);
    expect(isSame(call('a'), call('b'))).toBe(false);
  });

  it('are laid side by side by a diff where no criterion has', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => call(name)) as [
      FunctionCall,
      FunctionCall,
      FunctionCall,
      FunctionCall,
    ];
    const { rows, evidence } = alignCalls([a, b, c], [a, d, c], [], false);
    expect(formatRows(rows, look)).toBe('  a()\n- b()\n+ d()\n  c()');
    expect(evidence).toBeNull();
  });

  it('are laid side by side as a criterion has done it, if it shows these calls and all of them', () => {
    const [a, b] = [call('a'), call('b', { text: 'long' })];
    const scoreWith = (expected: Json, actual: Json): Score[] => [
      { value: 0, evidence: [{ kind: 'diff', expected, actual }] },
    ];
    const cut = call('b', { text: 'lo…' }) as Json;
    const aligned = scoreWith([cut, { name: 'a' }], [cut, null]);
    const { rows, evidence } = alignCalls([a, b], [b], aligned, false);
    expect(formatRows(rows, look)).toBe('  b({"text":"lo…"})\n- a()');
    expect(evidence).toBe(aligned[0]?.evidence?.[0]);
    expect(alignCalls([a, b], [b], aligned, true).evidence).toBeNull();
    for (const [expected, actual] of [
      [[{ name: 'a' }], [{ name: 'b' }]],
      [[{ name: 'a' }, { name: 'x' }], [{ name: 'b' }]],
      [['a', 'b'], ['b']],
      [{ name: 'a' }, { name: 'b' }],
      [[], []],
    ] as [Json, Json][]) {
      expect(alignCalls([a, b], [b], scoreWith(expected, actual), false).evidence).toBeNull();
    }
  });

  it('take no time without end, however many differ', () => {
    const many = (name: string) => Array.from({ length: 5000 }, (_, index) => call(name + index));
    const { rows } = alignCalls(many('a'), many('b'), [], false);
    expect(formatRows(rows, look).split('\n')).toHaveLength(21);
  });
});
