import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { liveCommands } from '../../../test/live-commands.ts';
import { hostileText } from './__fixtures__/hostile.ts';
import { fit, fitTable, indent, oneLine, safe, safeJson, safeLines, table, wrap } from './terminal.ts';

describe('safe()', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['\u001b]0;new title\u0007text', '␛]0;new title␇text'],
    ['a\rb\r\nc\td\u007f', 'a␍b␊c␉d␡'],
    ['back\u0008space', 'back␈space'],
    ['\u009b31mred', '<U+009B>31mred'],
    ['abc\u202edcba\u200f', 'abc<U+202E>dcba<U+200F>'],
    ['a\u2028b', 'a<U+2028>b'],
    ['日本語 é 👍', '日本語 é 👍'],
  ])('escapes %j as %j, on one line', (text, shown) => {
    expect(safe(text)).toBe(shown);
  });

  it.each([
    ['::add-mask::secret', '\\::add-mask::secret'],
    ['said \u200b::error file=a.ts::x', 'said \u200b\\::error file=a.ts::x'],
    ['std::vector a::b', 'std::vector a::b'],
    ['##vso[task.complete]', '#\\#vso[task.complete]'],
    ['see ##[group], ###[x] and ##VSO[y]', 'see #\\#[group], ##\\#[x] and #\\#VSO[y]'],
    ["##teamcity[testFailed name='a']", "#\\#teamcity[testFailed name='a']"],
    ['## title, issue #1 [2]', '## title, issue #1 [2]'],
    ['section_start:1:a\r\u001b[0K', 'section_start\\:1:a␍␛[0K'],
    ['--- a', '\\--- a'],
    ['a --- b --flag', 'a --- b --flag'],
  ])('escapes CI commands and nothing else: %j', (text, shown) => {
    expect(safe(text)).toBe(shown);
  });
});

describe('safeLines()', () => {
  it('preserves lines and tabs, and indents them if requested', () => {
    expect(safeLines('a\r\n\tb\n::c::')).toBe('a\n\tb\n\\::c::');
    expect(safeLines('a\nb\n\n c\n    at d', 2)).toBe('a\n  b\n\n   c\n    at d');
    expect(safeLines('a\n  +++\nb\n~~~ c\n^^^ +++')).toBe('a\n  \\+++\nb\n\\~~~ c\n\\^^^ +++');
  });

  it('escapes everything that a terminal or a CI service would interpret, and leaves safe text unchanged', () => {
    fc.assert(
      fc.property(hostileText, fc.nat(3), (text, hang) => {
        expect(liveCommands(safeLines(text, hang))).toEqual([]);
        expect(safeLines(safeLines(text))).toBe(safeLines(text));
        expect(safe(safe(text))).toBe(safe(text));
        expect(safe(text)).not.toMatch(/[\n\t]/);
        expect(liveCommands(safe(text))).toEqual([]);
      }),
    );
  });

  it.each([
    ['\u001b[', ''],
    ['\u001b]8;;', ''],
    ['##', ''],
    [' ', '\n'],
    ['::', ' '],
    ['--- ', ''],
  ])('takes linear time: %j repeated after %j', (piece, start) => {
    // A quadratic algorithm would take minutes and exceed the test's time limit.
    expect(safeLines(start + piece.repeat(500_000))).not.toContain('\u001b');
  });
});

describe('safeJson()', () => {
  it('parses to the same value, but contains no CI commands', () => {
    fc.assert(
      fc.property(fc.array(hostileText), (texts) => {
        const json = safeJson(JSON.stringify(texts, null, 2));
        expect(JSON.parse(json)).toEqual(texts);
        expect(liveCommands(json).filter((found) => !/^\s*::|section/.test(found))).toEqual([]);
      }),
    );
  });
});

describe('oneLine()', () => {
  it('returns one line of the given width, truncated between characters', () => {
    expect(oneLine('  a\n b\t c ', 10)).toBe('a b c');
    expect(oneLine('abcdefgh', 5)).toBe('abcd…');
    expect(oneLine('日本語日本語', 6)).toBe('日本…');
    expect(oneLine('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5)).toBe('👨‍👩‍👧‍👦👨‍👩‍👧‍👦…');
    expect(stringWidth(oneLine('語'.repeat(1_000_000), 20))).toBeLessThanOrEqual(20);
  });

  it('truncates nothing if the width is infinite', () => {
    expect(oneLine('x'.repeat(10_000), Number.POSITIVE_INFINITY)).toHaveLength(10_000);
  });
});

describe('table()', () => {
  it('aligns East Asian text, emoji and combining marks, and treats colours as having no width', () => {
    const red = (text: string) => `<${text}>`;
    const rows = ['ab', '日本', 'e\u0301', '👍'].map((text) => [{ text, paint: red }, { text: '|' }]);
    const lines = table(rows).split('\n');
    expect(lines.map((line) => stringWidth(line.replace(/[<>]/g, '').split('|')[0] ?? ''))).toEqual([6, 6, 6, 6]);
  });

  it('leaves no trailing spaces', () => {
    expect(
      table([
        [{ text: 'a' }, { text: '' }],
        [{ text: 'bb' }, { text: 'c' }],
      ]),
    ).toBe('a\nbb  c');
  });
});

describe('wrap()', () => {
  it.each([
    ['a bc def', 5, 'a bc\n  def'],
    ['a bc\n  def gh', 6, 'a bc\n  def\n  gh'],
    ['abcdefgh ij', 4, 'abcd\n  ef\n  gh\n  ij'],
    ['- set({"id":"a","to":2,"at":3}) ok', 16, '- set({"id":"a",\n  "to":2,\n  "at":3}) ok'],
    ['see abcdefghijklmno', 10, 'see abcdef\n  ghijklmn\n  o'],
    ['x aaa::error', 5, 'x aaa\n  \\::\n  err\n  or'],
    ['so many (or_so_few,or_none)', 16, 'so many\n  (or_so_few,\n  or_none)'],
    ['some words abcdefghijklmnopqrs', 14, 'some words\n  abcdefghijkl\n  mnopqrs'],
    ['abcdefgh---', 10, 'abcdefgh--\n  -'],
    ['abcdefg---', 7, 'abcdefg\n  \\---'],
    ['日本語、日本語。日本', 8, '日本語、\n  日本\n  語。日\n  本'],
    ['\u001b[31mred word\u001b[39m end', 8, '\u001b[31mred word\u001b[39m\n  end'],
    ['ab\u3000cd', 5, 'ab\n  cd'],
    ['', 8, ''],
    ['   ', 8, ''],
    // A musical note that is three columns wide.
    ['  ! \u{1D158}\u{1D165}\u{1D16E}\u{17000}', 6, '  !\n  \u{1D158}\u{1D165}\u{1D16E}\n  \u{17000}'],
  ])('wraps %j at %d columns', (text, width, lines) => {
    expect(wrap(text, width, 2)).toBe(lines);
  });

  it('keeps every word, and creates no line that is too wide', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 6, max: 40 }), (some, width) => {
        const text = safe(some.join(' '));
        const lines = wrap(text, width, 2).split('\n');
        const plain = (one: string) => one.replace(/[\s\\]/g, '');
        expect(plain(lines.join(''))).toBe(plain(text));
        for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('does not create CI commands', () => {
    const pieces = fc.constantFrom(
      '::',
      ':',
      'error ',
      '---',
      '+++',
      'a',
      'bc,',
      '(',
      '\u001b[31m',
      ' ',
      '^^^',
      '日本',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.integer({ min: 6, max: 20 }), (some, width) => {
        const text = safeLines(some.join('').replaceAll('\u001b[31m', ''));
        for (const broken of [wrap(text, width, 2), fit(text, width)]) {
          expect(liveCommands(broken)).toEqual([]);
          for (const line of broken.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  it('does not break colour codes', () => {
    const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
    const broken = wrap(red('x'.repeat(50)), 20, 2);
    expect(broken).toBe(red(`${'x'.repeat(20)}\n  ${'x'.repeat(18)}\n  ${'x'.repeat(12)}`));
  });

  it('takes linear time', () => {
    // A quadratic algorithm would take minutes and exceed the test's time limit.
    for (const text of ['x'.repeat(200_000), ' '.repeat(500_000), '。'.repeat(200_000), 'x '.repeat(250_000)])
      expect(wrap(text, 80, 2).replace(/\s+/g, '') === text.replace(/\s+/g, '')).toBe(true);
  });
});

describe('fit()', () => {
  it('indents continuation lines further than their first line, and leaves lines that fit unchanged', () => {
    expect(fit('  a bc def\nshort  as it is\n', 15)).toBe('  a bc def\nshort  as it is\n');
    expect(fit('  one two three four five', 16)).toBe('  one two three\n    four five');
    expect(fit('x'.repeat(99), Number.POSITIVE_INFINITY)).toBe('x'.repeat(99));
  });

  it('keeps a command on one line if there is room', () => {
    const command = "agent-criteria resume 20261122-201419-ojeg --judge_model 'my model' --replay rec.jsonl";
    expect(fit(`Run incomplete. Resume with: ${command}`, 90)).toBe(`Run incomplete. Resume with:\n  ${command}`);
    const install = 'npm install --save-dev @agent-criteria/criteria-llm-judge';
    expect(fit(`It is not registered: ${install}, then import it.`, 60)).toBe(
      `It is not registered:\n  ${install},\n  then import it.`,
    );
  });

  it('ends the lines of a broken command with a backslash', () => {
    const command = "agent-criteria resume 20261122-201419-ojeg --judge_model 'my model' --replay rec.jsonl";
    expect(fit(`Run incomplete. Resume with: ${command}`, 60)).toBe(
      `Run incomplete. Resume with: agent-criteria resume \\
  20261122-201419-ojeg --judge_model 'my model' --replay \\
  rec.jsonl`,
    );
    const first = `  details: agent-criteria show ${'x'.repeat(60)} a_case`;
    expect(fit(first, 40)).toBe(
      `  details: agent-criteria show \\\n    ${'x'.repeat(36)}\n    ${'x'.repeat(24)} a_case`,
    );
  });
});

describe('fitTable()', () => {
  const rows = [
    ['case', 'quality'],
    ['the first', '0.5'],
    ['two', ''],
  ].map((row) => row.map((text) => ({ text })));

  it('returns a table if there is room, and a list otherwise', () => {
    expect(fitTable(rows, 18)).toBe('case       quality\nthe first  0.5\ntwo');
    expect(fitTable(rows, 17)).toBe('the first\n  quality  0.5\ntwo');
  });
});

describe('indent()', () => {
  it('indents every line except empty ones', () => {
    expect(indent('a\n\n b', 2)).toBe('  a\n\n   b');
  });
});
