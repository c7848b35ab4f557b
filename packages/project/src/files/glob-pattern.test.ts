import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitPattern } from './glob-pattern.ts';

describe('splitPattern', () => {
  it.each([
    ['*.json', '.', '*.json'],
    ['sets/*.json', 'sets', '*.json'],
    ['./a b/**/x?.json', './a b', '**/x?.json'],
    ['../up/{a,b}.json', '../up', '{a,b}.json'],
    ['/*.json', '/', '*.json'],
    ['/data/**', '/data', '**'],
    ['a\\[1\\]/*.json', 'a[1]', '*.json'],
    ['sets/@(a|b).json', 'sets', '@(a|b).json'],
  ])('splits %s into folder and pattern on POSIX', (text, base, pattern) => {
    expect(splitPattern(text, false)).toEqual({ base, pattern });
  });

  it.each([
    ['C:\\sets\\**\\*.json', 'C:/sets', '**/*.json'],
    ['C:\\*.json', 'C:/', '*.json'],
    ['c:/sets/*.json', 'c:/sets', '*.json'],
    ['C:*.json', 'C:', '*.json'],
    ['C:sets\\*.json', 'C:sets', '*.json'],
    ['\\\\server\\share\\*.json', '//server/share', '*.json'],
    ['my sets\\[ab].json', 'my sets', '[ab].json'],
    ['\\*.json', '/', '*.json'],
  ])('splits %s into folder and pattern on Windows', (text, base, pattern) => {
    expect(splitPattern(text, true)).toEqual({ base, pattern });
  });

  it.each([
    ['a.json', false],
    ['C:\\sets\\a.json', true],
    ['a\\*b.json', false],
    ['set!.json', false],
    ['(a)+b.json', false],
  ])('returns null for %s, which has no wildcard (Windows: %s)', (text, windows) => {
    expect(splitPattern(text, windows)).toBeNull();
  });

  it('splits without loss: joining the folder and the pattern restores the original', () => {
    const segment = fc.stringMatching(/^[a-z. *?-]{1,6}$/);
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        (parts, rooted, windows) => {
          const text = `${rooted ? '/' : ''}${parts.join('/')}`;
          const split = splitPattern(text, windows);
          expect(split === null).toBe(!/[*?]/.test(text));
          if (split === null) return;
          expect(posix.join(split.base, split.pattern)).toBe(posix.normalize(text));
          expect(split.base).not.toMatch(/[*?]/);
        },
      ),
    );
  });
});
