import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { binaryText } from '../../../test/binary-text.ts';
import { cpuTime } from '../../../test/cpu-time.ts';
import { runs } from '../../../test/runs.ts';
import { findText, hasLetters, lettersOf } from './letters.ts';

test('lettersOf() returns normalized letters and digits of any script', () => {
  expect(lettersOf('**Ça** – “Déjà” 3.5 %').text).toBe('cadeja35');
  expect(lettersOf('e\u0301').text).toBe(lettersOf('é').text);
  expect(lettersOf('ﬁ½').text).toBe('fi12');
  expect(lettersOf('👍❤️ --- | :-- |').text).toBe('');
  expect(lettersOf('你好，мир').text).toBe('你好мир');
});

test('lettersOf() maps each letter to the position of its character', () => {
  fc.assert(
    fc.property(binaryText(), (text) => {
      const { text: letters, places } = lettersOf(text);
      expect(places.length).toBe(letters.length);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      const misplaced = places.filter((place, index) => {
        const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
        return !lettersOf(character).text.includes(letters[index] ?? '?');
      });
      expect(misplaced).toEqual([]);
    }),
  );
});

test('findText() finds a text where indexOf() does', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
  fc.assert(
    fc.property(few, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }), fc.nat(45), (text, wanted, from) => {
      fc.pre(wanted !== '' || from <= text.length);
      expect(findText(text, wanted, from)).toBe(text.indexOf(wanted, from));
    }),
  );
});

test('findText() takes linear time for repetitive texts', () => {
  const taken = cpuTime();
  expect(findText('a'.repeat(400_000), `b${'a'.repeat(200_000)}`, 0)).toBe(-1);
  expect(findText('a'.repeat(400_000), `${'a'.repeat(200_000)}b`, 0)).toBe(-1);
  expect(taken()).toBeLessThan(5_000);
});

test('hasLetters() and lettersOf() ignore a letter that is normalized to a mark', () => {
  expect(hasLetters('\uFE70 ')).toBe(false);
  expect(lettersOf('\uFE70').text).toBe('');
  expect(hasLetters('\uFE70a')).toBe(true);
  expect(hasLetters('\u{1F110}')).toBe(true);
});

test('hasLetters() is true if and only if lettersOf() returns letters', () => {
  fc.assert(
    fc.property(binaryText(), (text) => {
      expect(hasLetters(text)).toBe(lettersOf(text).text !== '');
    }),
    { numRuns: runs(2_000) },
  );
});
