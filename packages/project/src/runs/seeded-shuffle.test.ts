import { describe, expect, it } from 'vitest';
import { inDrawnOrder, usualDraw } from './seeded-shuffle.ts';

const things = Array.from({ length: 200 }, (_, index) => ({
  setId: 'home',
  caseId: `case-${index}`,
  repeat: 0,
  turn: 0,
  criterion: 'polite',
  rubric: null,
  passed: index % 10 > 0,
}));
const passes = (some: readonly { readonly passed: boolean }[]) => some.filter(({ passed }) => passed).length;

describe('items to label', () => {
  it('are drawn by verdict if one verdict is rare, and otherwise at random', () => {
    expect(usualDraw(things)).toBe('by-verdict');
    expect(usualDraw(things.map((one, index) => ({ ...one, passed: index % 2 > 0 })))).toBe('random');
    // There is nothing to balance.
    expect(usualDraw(things.map((one) => ({ ...one, passed: true })))).toBe('random');
    expect(usualDraw([])).toBe('random');
  });

  it('are drawn completely, without duplicates and in a reproducible order', () => {
    for (const draw of ['random', 'by-verdict'] as const) {
      const drawn = inDrawnOrder(things, 'run-1', draw);
      expect(new Set(drawn).size).toBe(things.length);
      expect(inDrawnOrder(things, 'run-1', draw)).toEqual(drawn);
      expect(inDrawnOrder(things.toReversed(), 'run-1', draw)).toEqual(drawn);
      expect(inDrawnOrder(things, 'run-2', draw)).not.toEqual(drawn);
    }
  });

  it('are balanced at first and in an unpredictable order if they are drawn by verdict', () => {
    const share = (draw: 'random' | 'by-verdict') =>
      Array.from({ length: 40 }, (_, run) => passes(inDrawnOrder(things, `run-${run}`, draw).slice(0, 20))).reduce(
        (sum, one) => sum + one,
        0,
      ) / 800;
    expect(share('random')).toBeGreaterThan(0.85);
    expect(share('by-verdict')).toBeGreaterThan(0.42);
    expect(share('by-verdict')).toBeLessThan(0.58);
    const firsts = Array.from({ length: 40 }, (_, run) =>
      inDrawnOrder(things, `run-${run}`, 'by-verdict').slice(0, 20),
    );
    const changes = firsts.flatMap((one) => one.slice(1).map((next, at) => next.passed !== one[at]?.passed));
    expect(changes.filter(Boolean).length / changes.length).toBeGreaterThan(0.4);
    expect(changes.filter(Boolean).length / changes.length).toBeLessThan(0.6);
  });
});
