import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binaryText } from '../../../test/binary-text.ts';
import { runs } from '../../../test/runs.ts';
import { rouge1, rouge2, rougeL, stem, tokenize } from './rouge.ts';

/** Arbitrary strings, with lone surrogates, unassigned code points, and runs of scripts with special rules. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  binaryText(),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom(...'aZ9 中のカ한กำ่ລាម်é\u0301ßİK\u017f\u00a0’—👍\ufe0f\u200b\ud800'))
    .map((characters) => characters.join('')),
);
const ascii = fc.string({ unit: 'binary-ascii', maxLength: 200 });
/** Texts with few different words, so that they share some. */
const prose = fc
  .array(fc.constantFrom('the', 'The', 'cats', 'cat', 'running', 'runs', 'été', '北京', '’', '.'), { maxLength: 40 })
  .map((words) => words.join(' '));

describe('rouge1, rouge2 and rougeL', () => {
  test('never throw, and return numbers from 0 to 1', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.constantFrom(rouge1, rouge2, rougeL), (candidate, reference, rouge) => {
        for (const value of Object.values(rouge(candidate, reference))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test('score any text with a word 1 against itself, in any script', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(tokenize(text).length > 0);
        expect(rouge1(text, text).fmeasure).toBe(1);
        expect(rougeL(text, text).fmeasure).toBe(1);
        expect(rouge2(text, text).fmeasure).toBe(tokenize(text).length > 1 ? 1 : 0);
      }),
      { numRuns: runs(500) },
    );
  });

  test('swap precision and recall if the texts are swapped', () => {
    fc.assert(
      fc.property(prose, prose, fc.constantFrom(rouge1, rouge2, rougeL), (first, second, rouge) => {
        const [there, back] = [rouge(first, second), rouge(second, first)];
        expect(there).toEqual({ precision: back.recall, recall: back.precision, fmeasure: back.fmeasure });
      }),
    );
  });

  test('agree with a naive count (rouge1)', () => {
    fc.assert(
      fc.property(prose, prose, (candidate, reference) => {
        const left = tokenize(reference);
        const total = { candidate: tokenize(candidate).length, reference: left.length };
        let shared = 0;
        for (const word of tokenize(candidate)) {
          const place = left.indexOf(word);
          if (place < 0) continue;
          left.splice(place, 1);
          shared += 1;
        }
        const found = rouge1(candidate, reference);
        expect(found.precision).toBe(shared / Math.max(total.candidate, 1));
        expect(found.recall).toBe(shared / Math.max(total.reference, 1));
      }),
    );
  });

  test('split ASCII text like a naive tokenizer', () => {
    fc.assert(
      fc.property(ascii, (text) => {
        const words = text
          .toLowerCase()
          .split(/[^a-z0-9]+/)
          .filter((word) => word !== '');
        const stems = words.map((word) => (word.length > 3 ? stem(word) : word));
        for (const tokenizer of ['unicode', 'ascii'] as const) {
          expect(tokenize(text, { tokenizer, stem: false })).toEqual(words);
          expect(tokenize(text, { tokenizer })).toEqual(stems);
        }
      }),
    );
  });

  test('split any text according to the rules, character by character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(tokenize(text, { stem: false })).toEqual(naiveWords(text));
      }),
      { numRuns: runs(1000) },
    );
  });
});

/**
 * ADK's rules one by one: space around some characters, before others, and in place of anything that is not a letter or
 * digit.
 */
function naiveWords(text: string): string[] {
  let spaced = '';
  for (const character of text.normalize('NFKC').toLowerCase()) {
    const code = character.codePointAt(0) as number;
    const within = (...ranges: [number, number][]): boolean =>
      ranges.some(([low, high]) => low <= code && code <= high);
    const mark = /\p{M}/u.test(character);
    if (within([0x4e00, 0x9fff], [0x3040, 0x30ff], [0xac00, 0xd7af])) spaced += ` ${character} `;
    else if (within([0x0e00, 0x0eff], [0x1780, 0x17ff], [0x1000, 0x109f])) spaced += mark ? character : ` ${character}`;
    else spaced += mark || /[\p{L}\p{N}]/u.test(character) ? character : ' ';
  }
  return spaced.split(' ').filter((word) => word !== '');
}

describe('options of rouge1', () => {
  test('a stemmer receives words of more than three letters', () => {
    const seen: string[] = [];
    const first = (word: string): string => {
      seen.push(word);
      return word.slice(0, 4);
    };
    expect(tokenize('The Häuser, HAUS', { stem: first })).toEqual(['the', 'häus', 'haus']);
    expect(seen).toEqual(['häuser', 'haus']);
    expect(rouge1('walker walks', 'walking walked', { stem: first }).fmeasure).toBe(1);
  });

  test('stemmers do not share their cache', () => {
    const same = (word: string): string => word;
    const cut = (word: string): string => word.slice(0, 4);
    expect(rouge1('walker', 'walking', { stem: cut }).fmeasure).toBe(1);
    expect(rouge1('walker', 'walking', { stem: same }).fmeasure).toBe(0);
    expect(rouge1('walks', 'walking').fmeasure).toBe(1);
    expect(rouge1('walks', 'walking', { stem: false }).fmeasure).toBe(0);
  });

  test('a stemmer that throws does not change later scores', () => {
    let broken = true;
    const stemmer = (word: string): string => {
      if (broken && word === 'second') throw new Error('no');
      return word;
    };
    expect(() => rouge1('first second', 'first', { stem: stemmer })).toThrow('no');
    broken = false;
    expect(rouge1('first second', 'first second', { stem: stemmer }).fmeasure).toBe(1);
  });

  test('the ASCII tokenizer reads a Kelvin sign as k, and ignores other scripts', () => {
    expect(tokenize('5 \u212aelvin', { tokenizer: 'ascii' })).toEqual(['5', 'kelvin']);
    expect(tokenize('naïve 北京', { tokenizer: 'ascii' })).toEqual(['na', 've']);
    expect(tokenize('5 \u212aelvin')).toEqual(['5', 'kelvin']);
  });
});

/** The time limit for hostile texts: an exponential algorithm takes minutes, and a linear one at most a second. */
const patience = 30_000;

describe('hostile texts', () => {
  test.each([
    ['one long word', 'y'.repeat(300_000)],
    ['one long word of many marks', `a${'\u0301'.repeat(300_000)}`],
    ['many suffixes', 'ational'.repeat(40_000)],
    ['many different words', Array.from({ length: 60_000 }, (_, index) => `word${index}`).join(' ')],
    ['keys of objects', '__proto__ constructor toString hasOwnProperty '.repeat(1000)],
  ])('%s are scored in bounded time', { timeout: patience }, (_name, text) => {
    expect(rouge1(text, text).fmeasure).toBe(1);
    expect(rougeL(text, text).fmeasure).toBe(1);
  });

  test('rougeL handles long texts whose words are in a different order', { timeout: patience }, () => {
    const { fmeasure } = rougeL('a b c '.repeat(7_000), 'c b a '.repeat(7_000));
    expect(fmeasure).toBeGreaterThan(0.6);
  });
});

test('the entry ./rouge imports no other package', () => {
  const seen = new Set<string>();
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, name = ''] of readFileSync(url, 'utf8').matchAll(/^(?:import|export)\b.* from '([^']+)'/gm)) {
      expect(name).toMatch(/^\.\//);
      visit(new URL(name, url));
    }
  };
  visit(new URL('./rouge.ts', import.meta.url));
  expect(seen.size).toBeGreaterThan(3);
});
