import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './vote.ts';

describe('decide', () => {
  it('needs more than half of the samples for a positive outcome, and half for a negative one', () => {
    expect(decide(5, { positive: 3, negative: 0, unreadable: 0 })).toBe('positive');
    expect(decide(5, { positive: 2, negative: 2, unreadable: 0 })).toBe('undecided');
    expect(decide(4, { positive: 2, negative: 0, unreadable: 0 })).toBe('undecided');
    expect(decide(4, { positive: 0, negative: 2, unreadable: 0 })).toBe('negative');
    expect(decide(4, { positive: 2, negative: 2, unreadable: 0 })).toBe('negative');
  });

  it('counts unreadable samples against both', () => {
    expect(decide(3, { positive: 1, negative: 0, unreadable: 2 })).toBe('could-not-judge');
    expect(decide(3, { positive: 1, negative: 1, unreadable: 1 })).toBe('could-not-judge');
    expect(decide(1, { positive: 0, negative: 0, unreadable: 1 })).toBe('could-not-judge');
    expect(decide(5, { positive: 2, negative: 0, unreadable: 2 })).toBe('undecided');
  });

  it('rejects impossible ballots', () => {
    expect(() => decide(0, { positive: 0, negative: 0, unreadable: 0 })).toThrow(RangeError);
    expect(() => decide(1, { positive: 1, negative: 1, unreadable: 0 })).toThrow(RangeError);
  });

  it('decides exactly when no outstanding sample could change the outcome', () => {
    const opinion = fc.constantFrom('positive', 'negative', 'unreadable');
    fc.assert(
      fc.property(fc.array(opinion, { minLength: 1, maxLength: 7 }), fc.nat(7), (opinions, upTo) => {
        const outcome = (list: readonly string[]) =>
          decide(opinions.length, {
            positive: list.filter((one) => one === 'positive').length,
            negative: list.filter((one) => one === 'negative').length,
            unreadable: list.filter((one) => one === 'unreadable').length,
          });
        const seen = opinions.slice(0, upTo);
        const now = outcome(seen);
        const futures = completions(opinions.length - seen.length).map((rest) => outcome([...seen, ...rest]));
        expect(futures).not.toContain('undecided');
        expect(now === 'undecided').toBe(new Set(futures).size > 1);
        if (now !== 'undecided') expect(futures).toContain(now);
      }),
    );
  });
});

function completions(open: number): string[][] {
  if (open === 0) return [[]];
  return completions(open - 1).flatMap((rest) => ['positive', 'negative', 'unreadable'].map((one) => [one, ...rest]));
}
