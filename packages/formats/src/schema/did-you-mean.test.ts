import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest, didYouMean } from './did-you-mean.ts';

describe('closest', () => {
  it.each([
    ['criterias', 'criteria'],
    ['treshold', 'threshold'],
    ['thrsehold', 'threshold'],
    ['num_sample', 'numSamples'],
    ['NUMSAMPLES', 'numSamples'],
    ['eval_idd', 'eval_id'],
    ['tool_trajectory_avg_scores', 'tool_trajectory_avg_score'],
  ])('matches %s with %s', (word, name) => {
    expect(closest(word, ['other', name, 'another'])).toBe(name);
  });

  it.each(['', 'x', 'judge', 'holdthres'])('matches %j with none of the names', (word) => {
    expect(closest(word, ['threshold', 'criteria', 'numSamples'])).toBeUndefined();
  });

  it('prefers the nearest name, then the first', () => {
    expect(closest('matchtype', ['matchtypes', 'match_type', 'matchtyp'])).toBe('match_type');
    expect(closest('abcd', ['abce', 'abcf'])).toBe('abce');
  });

  it('finds a name despite any single typing mistake', () => {
    const word = fc.stringMatching(/^[a-z]{4,20}$/);
    const slip = fc.record({ at: fc.nat(100), letter: fc.constantFrom('x', 'q', '1') });
    fc.assert(
      fc.property(word, slip, (name, { at, letter }) => {
        const place = at % name.length;
        const inserted = name.slice(0, place) + letter + name.slice(place);
        const removed = name.slice(0, place) + name.slice(place + 1);
        const replaced = name.slice(0, place) + letter + name.slice(place + 1);
        for (const typed of [inserted, removed, replaced]) expect(closest(typed, [name])).toBe(name);
      }),
    );
  });
});

it('didYouMean() returns a suggestion, or an empty string if no name is close', () => {
  expect(`unknown key "criterias"${didYouMean('criterias', ['criteria'])}`).toBe(
    'unknown key "criterias"; did you mean "criteria"?',
  );
  expect(didYouMean('something', ['else entirely'])).toBe('');
});
