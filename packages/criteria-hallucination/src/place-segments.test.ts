import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { hasLetters, lettersOf } from './letters.ts';
import { placeSegments } from './place-segments.ts';

/** Renders the pieces as text: sentences unchanged, omitted pieces in brackets. */
const placed = (text: string, segments: readonly string[]) => {
  const { pieces, invented } = placeSegments(text, segments);
  return { pieces: pieces.map((piece) => (piece.kind === 'sentence' ? piece.text : `[${piece.text}]`)), invented };
};

describe('placeSegments(), if the segments cover the text,', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['exact copies', 'It rains. Take a coat!', ['It rains.', 'Take a coat!'], ['It rains.', 'Take a coat!']],
    ['a sentence that is repeated', 'Yes. Yes. No.', ['Yes.', 'Yes.', 'No.'], ['Yes.', 'Yes.', 'No.']],
    ['copies without marks', '**Price:** $5 (net).', ['Price: 5 net'], ['**Price:** $5 (net).']],
    ['copies with different white space', 'a  b\n c. d', ['a b c.', 'd'], ['a  b\n c.', 'd']],
    [
      'copies with different quotation marks',
      'He said “no”—twice.',
      ['He said "no" - twice.'],
      ['He said “no”—twice.'],
    ],
    [
      'items of a list without its marks',
      '1. Salt\n2. Oil\n   - olive\n\n---\n\n* Done.',
      ['Salt', 'Oil', 'olive', 'Done.'],
      ['1. Salt', '2. Oil', '- olive\n\n---', '* Done.'],
    ],
    ['a code block without its fence', 'Run:\n```sh\nls\n```\n', ['Run:', 'ls'], ['Run:\n```sh', 'ls\n```']],
    ['copies without a footnote mark', 'It is so [1]. Is it?', ['It is so.', 'Is it?'], ['It is so [1].', 'Is it?']],
    [
      'symbols, with the sentence before them',
      'Open? ✅ Closed. ❌',
      ['Open?', '✅', 'Closed.'],
      ['Open? ✅', 'Closed. ❌'],
    ],
    [
      'Chinese sentences without spaces',
      '他说：“好。”然后走了。',
      ['他说：“好。”', '然后走了。'],
      ['他说：“好。”', '然后走了。'],
    ],
    ['a sign before a word', 'See that. §5 holds.', ['See that.', '5 holds.'], ['See that.', '§5 holds.']],
    [
      'opening marks, with the sentence after them',
      'Yes.(Maybe.)“No.”',
      ['Yes.', 'Maybe.', 'No.'],
      ['Yes.', '(Maybe.)', '“No.”'],
    ],
  ])('places %s', (_, text, segments, pieces) => {
    expect(placed(text, segments)).toEqual({ pieces, invented: [] });
  });
});

describe('placeSegments(), if the segments do not cover the text,', () => {
  test.each<[string, string, readonly string[], readonly string[], readonly string[]]>([
    ['a missing segment', 'One. Two. Three.', ['One.', 'Three.'], ['One.', '[Two.]', 'Three.'], []],
    ['a missing last segment', 'One. Two.', ['One.'], ['One.', '[Two.]'], []],
    ['no segments at all', 'One. Two.', [], ['[One. Two.]'], []],
    ['an invented segment', 'One. Two.', ['One.', 'Zero.', 'Two.'], ['One.', 'Two.'], ['Zero.']],
    ['a changed segment', 'It costs 50. Bye.', ['It costs 5.', 'Bye.'], ['[It costs 50.]', 'Bye.'], ['It costs 5.']],
    ['a dropped minus', 'It is -5 now.', ['It is 5 now.'], ['It is -5 now.'], []],
    ['a segment repeated once too often', 'Yes. No.', ['Yes.', 'Yes.', 'No.'], ['Yes.', 'No.'], ['Yes.']],
    ['segments in another order', 'A b. C d.', ['C d.', 'A b.'], ['A b.', '[C d.]'], ['C d.']],
    [
      'an invented segment that occurs far behind by chance',
      'Hello. It rains. Take a coat. No.',
      ['Hello.', 'No', 'It rains.', 'Take a coat.', 'No.'],
      ['Hello.', 'It rains.', 'Take a coat.', 'No.'],
      ['No'],
    ],
    [
      'a missing number in the middle of a line',
      'It was May 7. We left.',
      ['It was May', 'We left.'],
      ['It was May', '[7.]', 'We left.'],
      [],
    ],
    ['a link without its address', 'See [it](https://x.org/y).', ['See it.'], ['See [it]', '[(https://x.org/y).]'], []],
    ['a text that is only a number like that of a list item', '42.', [], ['[42.]'], []],
  ])('handles %s', (_, text, segments, pieces, invented) => {
    expect(placed(text, segments)).toEqual({ pieces, invented });
  });
});

const word = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('it', 'is', 'No.', '- ', '\n', '2. ', '|', '你好。', '**'),
);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));

test('placeSegments() keeps every letter once and in order, without empty pieces, for any segments', () => {
  fc.assert(
    fc.property(text, fc.array(fc.oneof(text, word), { maxLength: 8 }), (of, segments) => {
      const { pieces } = placeSegments(of, segments);
      const kept = lettersOf(pieces.map((piece) => piece.text).join('\n')).text;
      expect(kept).toBe(lettersOf(of).text);
      for (const piece of pieces) expect(hasLetters(piece.text)).toBe(true);
      for (const piece of pieces) expect(of).toContain(piece.text);
    }),
  );
});

test('placeSegments() finds all segments that a text was made from', () => {
  const sentence = fc.string({ unit: 'grapheme', minLength: 1 }).filter(hasLetters);
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 8 }), (sentences) => {
      const { pieces, invented } = placeSegments(sentences.join(' \n'), sentences);
      expect(invented).toEqual([]);
      expect(pieces.map(({ kind, text: of }) => [kind, lettersOf(of).text])).toEqual(
        sentences.map((of) => ['sentence', lettersOf(of).text]),
      );
    }),
  );
});

test('placeSegments() reports a left-out segment at any position', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(), (count, pick) => {
      const sentences = Array.from({ length: count }, (_, index) => `Fact ${index} holds.`);
      const left = pick % count;
      const { pieces } = placeSegments(sentences.join(' '), sentences.toSpliced(left, 1));
      expect(pieces[left]).toEqual({ kind: 'left-out', text: sentences[left] });
      expect(pieces.filter(({ kind }) => kind === 'left-out').length).toBe(1);
    }),
  );
});

test('placeSegments() stays fast for adversarial input', () => {
  const long = 'a '.repeat(50_000);
  const wrong = Array.from({ length: 5_000 }, (_, index) => `${'a '.repeat(100)}b${index}`);
  const taken = cpuTime();
  placeSegments(long, wrong);
  placeSegments('('.repeat(50_000), ['a']);
  placeSegments(`a${'('.repeat(50_000)})b`, ['a', 'b']);
  placeSegments(`a${' \n'.repeat(50_000)}b`, ['a', 'b']);
  placeSegments(`${'>'.repeat(50_000)}1. a${'['.repeat(50_000)}`, ['x']);
  expect(taken()).toBeLessThan(10_000);
});
