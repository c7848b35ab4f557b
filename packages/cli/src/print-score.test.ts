import { describe, expect, it } from 'vitest';
import type { Io } from './io.ts';
import { callsOf, formatCalls, isSame } from './print-calls.ts';
import { formatScore, sideBySide, wordDiff } from './print-score.ts';

const io: Io = {
  out: () => undefined,
  err: () => undefined,
  color: false,
  environment: {},
  signal: new AbortController().signal,
};

describe('formatScore', () => {
  it.each([
    [null, 0.8, '-'],
    [1, 0.8, '1'],
    [0.7999999, 0.8, '0.799'],
    [2 / 3, null, '0.666'],
    [0.20004, 0.2, '0.20004'],
    [0.8, 0.8, '0.8'],
    [-0.0001, 0.5, '0'],
    [1234.5678, null, '1234.567'],
  ])('shows %d beside the threshold %d as %s', (value, threshold, shown) => {
    expect(formatScore(value, threshold)).toBe(shown);
  });
});

describe('wordDiff', () => {
  it('marks what is missing and what is extra, in texts that are alike', () => {
    expect(wordDiff('The lamp is now on.', 'The lamp is off.', io)).toBe('The lamp is [-now on-]{+off+}.');
    expect(wordDiff('ランプがつきました', 'ランプが消えました', io)).toBe('ランプが[-つき-]{+消え+}ました');
  });

  it('is none for texts that are not, or are long', () => {
    expect(wordDiff('The lamp is on.', 'I did not understand.', io)).toBeNull();
    expect(wordDiff('a '.repeat(4000), 'a '.repeat(4000), io)).toBeNull();
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
  const call = (name: string, args?: Record<string, unknown>) => ({ name, ...(args === undefined ? {} : { args }) });

  it('are the same whatever the order of their arguments, and without any as with none', () => {
    expect(isSame(call('a', { x: 1, y: { p: 1, q: 2 } }), call('a', { y: { q: 2, p: 1 }, x: 1 }))).toBe(true);
    expect(isSame(call('a'), call('a', {}))).toBe(true);
    expect(isSame(call('a', { x: [1, 2] }), call('a', { x: [2, 1] }))).toBe(false);
    expect(isSame(call('a'), call('b'))).toBe(false);
  });

  it('are laid side by side by a diff where no criterion has', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => call(name));
    expect(formatCalls([a!, b!, c!], [a!, d!, c!], [], false, io)).toBe('  a()\n- b()\n+ d()\n  c()');
  });

  it('are laid side by side as a criterion has done it, if it has all of them', () => {
    const [a, b] = [call('a'), call('b')];
    const evidence = (expected: never[], actual: never[]) => [
      {
        repeat: 0,
        turn: 0,
        value: 0,
        reached: false,
        score: { value: 0, evidence: [{ kind: 'diff' as const, expected, actual }] },
      },
    ];
    const aligned = evidence([b, a] as never[], [b, null] as never[]);
    expect(formatCalls([a, b], [b], aligned, false, io)).toBe('  b()\n- a()');
    expect(formatCalls([a, b], [b], evidence([a] as never[], [b] as never[]), false, io)).toBe('- a()\n  b()');
  });

  it('are told apart from other lists', () => {
    expect(callsOf([{ name: 'a' }, null, { name: 'b', args: {} }])).toHaveLength(3);
    for (const other of [{ name: 'a' }, ['a'], [{ name: 'a', price: 1 }], [1], 'a', null])
      expect(callsOf(other)).toBeUndefined();
  });

  it('take no time without end, however many differ', () => {
    const many = (name: string) => Array.from({ length: 5000 }, (_, index) => call(name + index));
    const before = performance.now();
    expect(formatCalls(many('a'), many('b'), [], false, io).split('\n')).toHaveLength(21);
    expect(performance.now() - before).toBeLessThan(3000);
  });
});
