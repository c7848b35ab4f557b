import { describe, expect, it } from 'vitest';
import { alignTexts } from './align-texts.ts';

const texts = (...all: string[]) => all.map((text) => ({ author: 'desk', text }));
const rows = (expected: string[], said: string[]) =>
  alignTexts(texts(...expected), texts(...said)).map((row) => [row.expected?.text ?? null, row.said?.text ?? null]);

describe('alignTexts()', () => {
  it('puts equal texts side by side', () => {
    expect(rows(['a', 'c'], ['a', 'b', 'c'])).toEqual([
      ['a', 'a'],
      [null, 'b'],
      ['c', 'c'],
    ]);
  });

  it('puts a missing text next to the one that replaced it', () => {
    expect(rows(['a', 'x', 'y', 'z'], ['a', 'b', 'z'])).toEqual([
      ['a', 'a'],
      ['x', 'b'],
      ['y', null],
      ['z', 'z'],
    ]);
  });

  it('returns both sides of a row if only the author differs', () => {
    const [row] = alignTexts([{ author: 'desk', text: 'a' }], [{ author: 'host', text: 'a' }]);
    expect(row).toEqual({ expected: { author: 'desk', text: 'a' }, said: { author: 'host', text: 'a' } });
  });

  it('aligns by position if there are too many differences', () => {
    const many = (letter: string) => Array.from({ length: 900 }, (_, place) => `${letter}${place}`);
    expect(rows(many('a'), many('b'))[899]).toEqual(['a899', 'b899']);
  });
});
