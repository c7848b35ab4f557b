import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { indent, oneLine, safe, table, wrap } from './terminal.ts';

describe('safe', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;new title\u0007text', 'text'],
    ['\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a\rb\r\nc\td', 'a\nb\nc\td'],
    ['bell\u0007', 'bell\ufffd'],
    ['back\u0008space', 'back\ufffdspace'],
    ['\u009b31mred', 'red'],
    ['abc\u202edcba', 'abc\ufffddcba'],
    ['日本語 é 👍', '日本語 é 👍'],
  ])('prints %j as %j', (text, shown) => {
    expect(safe(text)).toBe(shown);
  });

  it('leaves no escape character, whatever the sequence', () => {
    for (const text of ['\u001bP1;2|payload\u001b\\', '\u001b_app\u001b\\', '\u001b\u001b[2J', '\u001b[', '\u001b']) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
      expect(safe(`${text}x`)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }
  });

  it.each([
    ['\u001b[', ''],
    ['\u001b]8;;', ''],
    ['', '\u001b]'],
    ['0;', '\u001b['],
    [' ', '\u001b'],
  ])('takes time in proportion to the text: %j repeated after %j', (piece, start) => {
    // Anything quadratic takes minutes here, and the test ends by its time limit.
    expect(safe(start + (piece || 'x').repeat(500_000))).not.toContain('\u001b');
  });
});

describe('oneLine', () => {
  it('is one line of so many columns, cut between characters', () => {
    expect(oneLine('  a\n b\t c ', 10)).toBe('a b c');
    expect(oneLine('abcdefgh', 5)).toBe('abcd…');
    expect(oneLine('日本語日本語', 6)).toBe('日本…');
    expect(oneLine('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5)).toBe('👨‍👩‍👧‍👦👨‍👩‍👧‍👦…');
    expect(stringWidth(oneLine('語'.repeat(1_000_000), 20))).toBeLessThanOrEqual(20);
  });

  it('cuts nothing where the width has no end', () => {
    expect(oneLine('x'.repeat(10_000), Number.POSITIVE_INFINITY)).toHaveLength(10_000);
  });
});

describe('table', () => {
  it('aligns East Asian text, emoji and combining marks, and paint takes no room', () => {
    const red = (text: string) => `<${text}>`;
    const rows = ['ab', '日本', 'e\u0301', '👍'].map((text) => [{ text, paint: red }, { text: '|' }]);
    const lines = table(rows).split('\n');
    expect(lines.map((line) => stringWidth(line.replace(/[<>]/g, '').split('|')[0] ?? ''))).toEqual([6, 6, 6, 6]);
  });

  it('leaves no blanks at the end of a line', () => {
    expect(
      table([
        [{ text: 'a' }, { text: '' }],
        [{ text: 'bb' }, { text: 'c' }],
      ]),
    ).toBe('a\nbb  c');
  });
});

describe('wrap', () => {
  it.each([
    ['a bc def', 4, 'a bc\n  def'],
    ['a bc\n  def gh', 6, 'a bc\n  def\n  gh'],
    ['abcdefgh ij', 4, 'abcdefgh\n  ij'],
    ['日本語、日本語。日本', 8, '日本語、\n  日本\n  語。日\n  本'],
    ['\u001b[31mred word\u001b[39m end', 8, '\u001b[31mred word\u001b[39m\n  end'],
    ['', 8, ''],
    ['   ', 8, ''],
  ])('breaks %j at %d columns', (text, width, lines) => {
    expect(wrap(text, width, 2)).toBe(lines);
  });

  it('loses no word, and no line is wider than it may be but for a single word', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 40 }), (some, width) => {
        const text = safe(some.join(' '));
        const lines = wrap(text, width, 2).split('\n');
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const line of lines) if (/\S\s+\S/.test(line)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('takes time in proportion to the text', () => {
    // Anything quadratic takes minutes here, and the test ends by its time limit.
    for (const text of ['x'.repeat(500_000), ' '.repeat(500_000), '。'.repeat(500_000), 'x '.repeat(250_000)])
      expect(wrap(text, 80, 2).replace(/\s+/g, '') === text.replace(/\s+/g, '')).toBe(true);
  });
});

describe('indent', () => {
  it('moves every line but empty ones', () => {
    expect(indent('a\n\n b', 2)).toBe('  a\n\n   b');
  });
});
