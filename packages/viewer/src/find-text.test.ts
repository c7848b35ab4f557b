import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { findText } from './find-text.ts';

const textOf = (pieces: readonly string[], wanted: string) =>
  findText(pieces, wanted, 100).map(({ from, to }) => {
    if (from[0] === to[0]) return pieces[from[0]]?.slice(from[1], to[1]);
    const between = pieces.slice(from[0] + 1, to[0]).join('');
    return `${pieces[from[0]]?.slice(from[1])}${between}${pieces[to[0]]?.slice(0, to[1])}`;
  });

it('findText() finds text across pieces, ignoring case', () => {
  expect(textOf(['A table near ', 'the', ' window, the Window'], 'the window')).toEqual(['the window', 'the Window']);
  expect(findText(['ab', '', 'cd'], 'bc', 9)).toEqual([{ from: [0, 1], to: [2, 1] }]);
  expect(findText(['ab', 'cd'], 'ab', 9)).toEqual([{ from: [0, 0], to: [0, 2] }]);
  expect(findText(['ab', 'cd'], 'cd', 9)).toEqual([{ from: [1, 0], to: [1, 2] }]);
  // A letter that gets longer in lower case does not shift later positions.
  expect(textOf(['İstanbul, istanbul'], 'stanbul,')).toEqual(['stanbul,']);
  expect(findText(['aaaa'], 'a', 3)).toHaveLength(3);
  expect(findText(['', ''], 'a', 3)).toEqual([]);
  expect(findText(['a'], '', 3)).toEqual([]);
});

it('findText() finds a text if and only if the joined pieces contain it', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'A', ' '), { maxLength: 6 }).map((each) => each.join(''));
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 5 }), letters, (pieces, wanted) => {
      const found = textOf(pieces, wanted);
      expect(found.every((text) => text?.toLowerCase() === wanted.toLowerCase())).toBe(true);
      expect(found.length > 0).toBe(wanted !== '' && pieces.join('').toLowerCase().includes(wanted.toLowerCase()));
    }),
    { numRuns: runs(500) },
  );
});
