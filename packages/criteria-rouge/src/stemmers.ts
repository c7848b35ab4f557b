/// <reference path="./natural.d.ts" />
import german from 'natural/lib/natural/stemmers/porter_stemmer_de.js';
import spanish from 'natural/lib/natural/stemmers/porter_stemmer_es.js';
import french from 'natural/lib/natural/stemmers/porter_stemmer_fr.js';
import italian from 'natural/lib/natural/stemmers/porter_stemmer_it.js';
import dutch from 'natural/lib/natural/stemmers/porter_stemmer_nl.js';
import norwegian from 'natural/lib/natural/stemmers/porter_stemmer_no.js';
import portuguese from 'natural/lib/natural/stemmers/porter_stemmer_pt.js';
import russian from 'natural/lib/natural/stemmers/porter_stemmer_ru.js';
import swedish from 'natural/lib/natural/stemmers/porter_stemmer_sv.js';
import ukrainian from 'natural/lib/natural/stemmers/porter_stemmer_uk.js';
import type { NaturalLanguage } from './languages.ts';
import type { Stem } from './vocabulary.ts';

export type { NaturalLanguage, Stem };

const latin = /^\p{Script=Latin}+$/u;
const cyrillic = /^\p{Script=Cyrillic}+$/u;

/**
 * Stemmers from the library `natural` 8.1.1 by language, for the option `stem` of `rouge1`, `rouge2` and `rougeL`. Each
 * takes a lower-cased word. Words of other scripts, with digits, or of more than 64 letters are returned unchanged.
 *
 * ```ts
 * rouge1('die kleinen Häuser', 'das kleine Haus', { stem: stemmers.de });
 * ```
 */
export const stemmers: Readonly<Record<NaturalLanguage, Stem>> = {
  de: careful(german, latin),
  es: careful(spanish, latin),
  fr: careful(french, latin),
  it: careful(italian, latin),
  nl: careful(dutch, latin),
  no: careful(norwegian, latin),
  pt: careful(portuguese, latin),
  ru: careful(russian, cyrillic),
  sv: careful(swedish, latin),
  uk: careful(ukrainian, cyrillic),
};

/**
 * Limits a stemmer to plain words: digits can garble its result, and some stemmers take quadratic time or worse. The
 * Dutch one keeps state between words, so each word gets a new object.
 */
function careful(stemmer: { stem(word: string): string }, letters: RegExp): Stem {
  return (word) => (word.length <= 64 && letters.test(word) ? Object.create(stemmer).stem(word) || word : word);
}
