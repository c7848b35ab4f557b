import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { shellWord } from './shell-word.ts';

describe('shellWord', () => {
  it.each([
    ['plain', 'plain'],
    ['a/b:c.json', 'a/b:c.json'],
    ['two words', "'two words'"],
    ["it's", `'it'\\''s'`],
    ['-flag', "'-flag'"],
    ['', "''"],
    ['$(rm)', "'$(rm)'"],
  ])('quotes %j as %s', (text, word) => {
    expect(shellWord(text, false)).toBe(word);
  });

  it('doubles quotes on Windows', () => {
    expect(shellWord('say "hi"', true)).toBe('"say ""hi"""');
  });

  it.skipIf(process.platform === 'win32')('round-trips through a shell', () => {
    const texts = fc.array(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(texts, (words) => {
        const script = `printf '%s\\0' ${words.map((word) => shellWord(word, false)).join(' ')}`;
        expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(words);
      }),
      { numRuns: runs(50) },
    );
  });
});
