import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { fenced, harmless, harmlessJson } from './fence.ts';

/** Text with our marks, in whole and in part, and with characters that cannot be seen. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('</agent-criteria-data', '<agent-criteria-data id="', '< / AGENT-criteria-data', '>', '\n', '"'),
      fc.constantFrom('\u{e0041}', '\u202e', '\u200b', '\u001b[2J', '\r\n', '\u2028'),
    ),
  )
  .map((parts) => parts.join(''));

describe('fenced()', () => {
  it('puts text between two marks with the same id, which is different every time', () => {
    const marks = /^<agent-criteria-data id="(\w{16})">\nhello\n<\/agent-criteria-data id="\1">$/;
    const [first, second] = [fenced('hello'), fenced('hello\n')];
    expect(first).toMatch(marks);
    expect(second).toMatch(marks);
    expect(first).not.toBe(second);
  });

  it('disables every mark in the text, so that the text cannot close its fence', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const marks = fenced(text).match(/<\s*\/?\s*agent-criteria-data/gi);
        expect(marks).toEqual(['<agent-criteria-data', '</agent-criteria-data']);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('shows characters that models read and people do not see', () => {
    expect(harmless('a\u{e0041}b\u202ec\u200bd\u001b')).toBe('a<U+E0041>b<U+202E>c<U+200B>d<U+001B>');
    expect(harmless('Grüße, 日本\t👩‍💻\n')).toBe('Grüße, 日本\t👩‍💻\n');
  });
});

describe('harmlessJson()', () => {
  it('keeps the value, and leaves nothing for the fence to change', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = harmlessJson(JSON.stringify({ [text]: text }));
        expect(JSON.parse(json)).toEqual({ [text]: text });
        expect(harmless(json)).toBe(json);
      }),
      { numRuns: runs(2000) },
    );
  });
});
