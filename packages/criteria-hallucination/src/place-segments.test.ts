import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { hasLetters, lettersOf } from './letters.ts';
import { placeSegments } from './place-segments.ts';

/** The pieces in short: sentences as they are, what was left out in brackets. */
const placed = (text: string, segments: readonly string[]) => {
  const { pieces, invented } = placeSegments(text, segments);
  return { pieces: pieces.map((piece) => (piece.kind === 'sentence' ? piece.text : `[${piece.text}]`)), invented };
};

describe('segments that cover the text', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['exactly', 'It rains. Take a coat!', ['It rains.', 'Take a coat!'], ['It rains.', 'Take a coat!']],
    ['with the same sentence twice', 'Yes. Yes. No.', ['Yes.', 'Yes.', 'No.'], ['Yes.', 'Yes.', 'No.']],
    ['copied without marks', '**Price:** $5 (net).', ['Price: 5 net'], ['**Price:** $5 (net).']],
    ['in other white space', 'a  b\n c. d', ['a b c.', 'd'], ['a  b\n c.', 'd']],
    ['with typographic quotes changed', 'He said “no”—twice.', ['He said "no" - twice.'], ['He said “no”—twice.']],
    [
      'of a list, without its marks',
      '1. Salt\n2. Oil\n   - olive\n\n---\n\n* Done.',
      ['Salt', 'Oil', 'olive', 'Done.'],
      ['1. Salt', '2. Oil', '- olive\n\n---', '* Done.'],
    ],
    ['with a fence that was left out', 'Run:\n```sh\nls\n```\n', ['Run:', 'ls'], ['Run:\n```sh', 'ls\n```']],
    ['with a footnote that was left out', 'It is so [1]. Is it?', ['It is so.', 'Is it?'], ['It is so [1].', 'Is it?']],
    ['of symbols only beside them', 'Open? ✅ Closed. ❌', ['Open?', '✅', 'Closed.'], ['Open? ✅', 'Closed. ❌']],
    [
      'in Chinese, without spaces',
      '他说：“好。”然后走了。',
      ['他说：“好。”', '然后走了。'],
      ['他说：“好。”', '然后走了。'],
    ],
    ['with a sign before a word', 'See that. §5 holds.', ['See that.', '5 holds.'], ['See that.', '§5 holds.']],
    ['with what opens the next', 'Yes.(Maybe.)“No.”', ['Yes.', 'Maybe.', 'No.'], ['Yes.', '(Maybe.)', '“No.”']],
  ])('%s', (_, text, segments, pieces) => {
    expect(placed(text, segments)).toEqual({ pieces, invented: [] });
  });
});

describe('segments that do not', () => {
  test.each<[string, string, readonly string[], readonly string[], readonly string[]]>([
    ['one is missing', 'One. Two. Three.', ['One.', 'Three.'], ['One.', '[Two.]', 'Three.'], []],
    ['the last is missing', 'One. Two.', ['One.'], ['One.', '[Two.]'], []],
    ['all are missing', 'One. Two.', [], ['[One. Two.]'], []],
    ['one was made up', 'One. Two.', ['One.', 'Zero.', 'Two.'], ['One.', 'Two.'], ['Zero.']],
    ['one was changed', 'It costs 50. Bye.', ['It costs 5.', 'Bye.'], ['[It costs 50.]', 'Bye.'], ['It costs 5.']],
    ['a minus was dropped', 'It is -5 now.', ['It is 5 now.'], ['It is -5 now.'], []],
    ['one is there once too often', 'Yes. No.', ['Yes.', 'Yes.', 'No.'], ['Yes.', 'No.'], ['Yes.']],
    ['they are in another order', 'A b. C d.', ['C d.', 'A b.'], ['A b.', '[C d.]'], ['C d.']],
    [
      'one that was made up stands by chance far behind',
      'Hello. It rains. Take a coat. No.',
      ['Hello.', 'No', 'It rains.', 'Take a coat.', 'No.'],
      ['Hello.', 'It rains.', 'Take a coat.', 'No.'],
      ['No'],
    ],
    [
      'a number in the middle of a line is missing',
      'It was May 7. We left.',
      ['It was May', 'We left.'],
      ['It was May', '[7.]', 'We left.'],
      [],
    ],
    ['a link lost its address', 'See [it](https://x.org/y).', ['See it.'], ['See [it]', '[(https://x.org/y).]'], []],
    ['all is a number that could be that of a list', '42.', [], ['[42.]'], []],
  ])('%s', (_, text, segments, pieces, invented) => {
    expect(placed(text, segments)).toEqual({ pieces, invented });
  });
});

const word = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('it', 'is', 'No.', '- ', '\n', '2. ', '|', '你好。', '**'),
);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));

test('whatever the segments: every letter stands in one piece, in order, and no piece is empty', () => {
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

test('segments that the text was made of are all found', () => {
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

test('a segment that is left out is told, wherever it was', () => {
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

test('what is meant to take long does not', () => {
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
