import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { runs } from '../../../test/runs.ts';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';
import { MOST_RENDERED } from './rendered-size.ts';
import { seemsMarkdown } from './seems-markdown.ts';

function blocks(text: string): readonly Block[] {
  const parsed = parseMarkdown(text);
  if (parsed === null) throw new Error('The text was not parsed.');
  return parsed;
}

/** Lists every value within a parsed text. */
function within(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : [value];
}

function pieces(text: string): readonly Inline[] {
  const [first] = blocks(text);
  return first?.kind === 'paragraph' ? first.inside : [];
}

const text = (words: string) => ({ kind: 'text', text: words });

describe('parseMarkdown()', () => {
  it('reads headings, lists, tasks, tables, quotes, code and rules', () => {
    expect(blocks('# Rooms\n\n- **free**\n- [x] `booked`\n\n3. third\n\n> so\n\n```ts\nlet a;\n```\n\n---')).toEqual([
      { kind: 'heading', level: 1, inside: [text('Rooms')] },
      {
        kind: 'list',
        start: null,
        items: [
          { isDone: null, blocks: [{ kind: 'paragraph', inside: [{ kind: 'strong', inside: [text('free')] }] }] },
          { isDone: true, blocks: [{ kind: 'paragraph', inside: [{ kind: 'code', text: 'booked' }] }] },
        ],
      },
      { kind: 'list', start: 3, items: [{ isDone: null, blocks: [{ kind: 'paragraph', inside: [text('third')] }] }] },
      { kind: 'quote', blocks: [{ kind: 'paragraph', inside: [text('so')] }] },
      { kind: 'code', text: 'let a;', language: 'ts' },
      { kind: 'rule' },
    ]);
    expect(blocks('|a|b|\n|-|-:|\n|~~1~~|2|')).toEqual([
      {
        kind: 'table',
        align: [null, 'right'],
        head: [[text('a')], [text('b')]],
        rows: [[[{ kind: 'del', inside: [text('1')] }], [text('2')]]],
      },
    ]);
  });

  it('keeps line breaks, and reads the entities that models write', () => {
    expect(pieces('one\ntwo &lt;b&gt; &amp; &#8364; &#38; &zwj;')).toEqual([
      text('one'),
      { kind: 'break' },
      text('two <b> & € & &zwj;'),
    ]);
  });

  it('shows HTML and definitions of links as they were written', () => {
    expect(blocks('<div onclick="x()">a</div>')).toEqual([{ kind: 'raw', text: '<div onclick="x()">a</div>' }]);
    expect(pieces('a <b>bold</b> <img src=x onerror=alert(1)>').map((piece) => 'text' in piece && piece.text)).toEqual([
      'a ',
      '<b>',
      'bold',
      '</b>',
      ' ',
      '<img src=x onerror=alert(1)>',
    ]);
    expect(blocks('[a]: https://example.com "hidden"')).toEqual([
      { kind: 'raw', text: '[a]: https://example.com "hidden"' },
    ]);
  });

  it('turns an image into its description and its address, which nothing loads', () => {
    expect(pieces('![a chart](https://example.com/a.png)')).toEqual([
      { kind: 'reference', inside: [text('a chart')], address: 'https://example.com/a.png' },
    ]);
  });

  it('shows the addresses of links as text, which cannot be followed', () => {
    for (const address of [
      'https://example.com/b',
      'javascript:alert(1)',
      'data:text/html,x',
      '//example.com',
      '#/runs',
    ]) {
      expect(pieces(`[a](<${address}>)`)).toEqual([{ kind: 'reference', inside: [text('a')], address }]);
    }
    expect(pieces('[https://bank.example](https://evil.example/x)')).toEqual([
      { kind: 'reference', inside: [text('https://bank.example')], address: 'https://evil.example/x' },
    ]);
  });

  it('shows an address once if it is the text of its link', () => {
    const source = 'https://example.com/b www.example.com a@example.com';
    expect(
      pieces(source)
        .map((piece) => 'text' in piece && piece.text)
        .join(''),
    ).toBe(source);
  });

  it('loses no word, whatever a text consists of', () => {
    const syntax = [
      ...['*', '**', '_', '~~', '`', '```\n', '# ', '> ', '- ', '1. ', '- [ ] ', '|', '\n|-|-|\n', '\n', '\n\n', ' '],
      ...[
        '[',
        '](',
        ')',
        '![',
        '<',
        '>',
        '</b>',
        '<!--',
        '-->',
        '\\',
        '&lt;',
        'javascript:',
        'https://',
        'data:',
        '    ',
      ],
    ];
    const piece = fc.oneof(
      fc.constantFrom(...syntax),
      fc.integer({ min: 0, max: 99 }).map((number) => `word${number}`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (written) => {
        const source = written.join('');
        const all = within(blocks(source));
        const shown = all.filter((one) => typeof one === 'string').join(' ');
        // The cells of a row that a table has no columns for are the one thing that Markdown drops.
        if (source.includes('|')) return;
        for (const [word] of source.matchAll(/word\d+/g)) expect(shown).toContain(word);
      }),
      { numRuns: runs(4000) },
    );
  });

  it('shows what is nested too deeply as text', () => {
    const nested = within(blocks(`${'> '.repeat(30)}deep`)) as readonly Block[];
    expect(nested.filter((one) => one?.kind === 'quote').length).toBeLessThan(20);
    expect(nested.some((one) => one?.kind === 'raw' && one.text.includes('deep'))).toBe(true);
  });

  it('leaves texts that are too long or nested without end to be shown as they are', () => {
    expect(parseMarkdown('a'.repeat(MOST_RENDERED + 1))).toBeNull();
    expect(parseMarkdown('> '.repeat(10_000))).toBeNull();
    expect(parseMarkdown('>'.repeat(10_000))).toBeNull();
  });

  it.each([
    ['quotes', '>'],
    ['lists in quotes', '> - '],
    ['brackets', '['],
    ['unfinished links', '[a]('],
    ['unfinished emphasis', '*a **a '],
    ['underscores', 'a_'],
    ['unfinished tags', '<a '],
    ['ticks', 'a``b`'],
    ['dots', 'http://a..'],
    ['one long word', 'a'],
    ['cells', '|a'],
    ['definitions', '[a]: b\n'],
    ['blanks', ' '],
  ])('takes little time for many %s', (_, piece) => {
    const taken = cpuTime();
    parseMarkdown(piece.repeat(MOST_RENDERED / piece.length));
    expect(taken()).toBeLessThan(4000);
  });
});

describe('seemsMarkdown()', () => {
  it.each(['**a**', '# a', 'a\n- b', '1. a', '`a`', '| a |', 'https://example.com', '> a', 'a\n===', '<b>', '&lt;'])(
    'finds Markdown in %j',
    (one) => expect(seemsMarkdown(one)).toBe(true),
  );

  it.each(['Booked for two at 19:30 (window).', 'It costs 5 - 6 euros.\nSee you!', '', 'In 2024. Then'])(
    'finds none in %j',
    (one) => expect(seemsMarkdown(one)).toBe(false),
  );
});
