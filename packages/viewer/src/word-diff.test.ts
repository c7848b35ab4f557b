import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { diffWords, type Piece } from './word-diff.ts';

const whole = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('');
const marked = (pieces: readonly Piece[]) => pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');
const both = (before: string, after: string) => {
  const diff = diffWords(before, after);
  return diff && [marked(diff.before), marked(diff.after)];
};

describe('diffWords()', () => {
  it('preserves both texts, leaving equal words unmarked', () => {
    const sentence = fc.array(fc.constantFrom('the', ' ', 'lamp', ', ', 'on', 'été', '灯', '\n', '🙂', '\uD800'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(sentence, sentence, (left, right) => {
        const [before, after] = [left.join(''), right.join('')];
        const diff = diffWords(before, after);
        if (diff === null) return;
        expect([whole(diff.before), whole(diff.after)]).toEqual([before, after]);
        const same = (pieces: Piece[]) => whole(pieces.filter(({ changed }) => !changed)).replace(/\s/g, '');
        expect(same(diff.before)).toBe(same(diff.after));
      }),
    );
  });

  it('marks the words that differ', () => {
    expect(both('The lamp is on.', 'The big lamp is off.')).toEqual(['The lamp is [on].', 'The [big ]lamp is [off].']);
    expect(both('booked for 19:30 today', 'booked for 20:00 today')).toEqual([
      'booked for [19]:[30] today',
      'booked for [20]:[00] today',
    ]);
    // Whitespace between two changes is part of the change.
    expect(both('a red small lamp', 'a blue big lamp')).toEqual(['a [red small] lamp', 'a [blue big] lamp']);
  });

  it('finds words in languages without spaces', () => {
    expect(both('リビングの照明をつけました。', 'キッチンの照明をつけました。')).toEqual([
      '[リビング]の照明をつけました。',
      '[キッチン]の照明をつけました。',
    ]);
  });

  it('returns null for texts that have no words in common or are too long', () => {
    expect(diffWords('One thing.', 'Another matter.')).toBeNull();
    expect(diffWords('a '.repeat(20_000), 'a')).toBeNull();
    const taken = cpuTime();
    diffWords(
      Array.from({ length: 3000 }, (_, n) => n)
        .join(' ')
        .slice(0, 10_000),
      'x y '.repeat(2500),
    );
    expect(taken()).toBeLessThan(5000);
  });
});
