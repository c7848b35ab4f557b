import { describe, expect, it } from 'vitest';
import { commandWord } from './command-word.ts';

describe('commandWord', () => {
  it.each([
    ['sets/a-dataset.json', 'sets/a-dataset.json'],
    ['my sets/für.json', '"my sets/für.json"'],
    ['C:\\sets\\a.json', '"C:\\sets\\a.json"'],
    ['$(rm).json', null],
    ['a`b', null],
    ['a"b', null],
    ["a'b", null],
    ['%PATH%', null],
    ['a\nb', null],
    ['ends\\', null],
    ['', null],
  ])('quotes %s as %s', (text, word) => expect(commandWord(text)).toBe(word));
});
