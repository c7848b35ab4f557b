import { describe, expect, it } from 'vitest';
import { alignTexts } from './align-texts.ts';

const texts = (...all: string[]) => all.map((text) => ({ author: 'desk', text }));
const rows = (expected: string[], said: string[]) =>
  alignTexts(texts(...expected), texts(...said)).map((row) => [row.expected?.text ?? null, row.said?.text ?? null]);

describe('texts on the way', () => {
  it('stand side by side where they are equal', () => {
    expect(rows(['a', 'c'], ['a', 'b', 'c'])).toEqual([
      ['a', 'a'],
      [null, 'b'],
      ['c', 'c'],
    ]);
  });

  it('stand beside what came in their place', () => {
    expect(rows(['a', 'x', 'y', 'z'], ['a', 'b', 'z'])).toEqual([
      ['a', 'a'],
      ['x', 'b'],
      ['y', null],
      ['z', 'z'],
    ]);
  });

  it('are another where another agent says them', () => {
    const [row] = alignTexts([{ author: 'desk', text: 'a' }], [{ author: 'host', text: 'a' }]);
    expect(row).toEqual({ expected: { author: 'desk', text: 'a' }, said: { author: 'host', text: 'a' } });
  });

  it('are in order where there are too many to compare', () => {
    const many = (letter: string) => Array.from({ length: 900 }, (_, place) => `${letter}${place}`);
    expect(rows(many('a'), many('b'))[899]).toEqual(['a899', 'b899']);
  });
});
