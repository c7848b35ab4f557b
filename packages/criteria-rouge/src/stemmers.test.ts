import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { naturalLanguages } from './languages.ts';
import { rouge1 } from './rouge.ts';
import { stemmers } from './stemmers.ts';

// Stems from the Snowball project, or for Ukrainian, which it does not cover, from natural.
const examples: Readonly<Record<keyof typeof stemmers, Readonly<Record<string, string>>>> = {
  de: { häuser: 'haus', hauses: 'haus', aufeinander: 'aufeinand', größe: 'gross' },
  es: { canciones: 'cancion', canción: 'cancion', rápidamente: 'rapid', hablábamos: 'habl' },
  fr: { continuellement: 'continuel', maisons: 'maison', chanteuses: 'chanteux', mangerions: 'mang' },
  it: { abbandonata: 'abbandon', abbandonate: 'abbandon', propizio: 'propiz', città: 'citt' },
  nl: { lichamelijk: 'licham', boeken: 'boek', maanden: 'maand', brood: 'brod' },
  no: { havnedistriktene: 'havnedistrikt', opningene: 'opning', hjelpen: 'hjelp' },
  pt: { quilométricas: 'quilométr', boas: 'boas', nacionalidade: 'nacional' },
  ru: { важнейшие: 'важн', дорогами: 'дорог', книгой: 'книг', ёлкой: 'елк' },
  sv: { jaktkarlarna: 'jaktkarl', bilarna: 'bil', klostergården: 'klostergård' },
  uk: { книгами: 'книг', книгою: 'книг', містами: 'міст' },
};

describe.each(naturalLanguages)('%s', (language) => {
  const stem = stemmers[language];

  test('stems words of its language', () => {
    const found = Object.keys(examples[language]).map((word) => [word, stem(word)]);
    expect(Object.fromEntries(found)).toEqual(examples[language]);
  });

  test('returns words of other scripts unchanged', () => {
    const foreign = language === 'ru' || language === 'uk' ? 'running' : 'книгами';
    for (const word of [foreign, 'word2vec', '12345', '北京', 'a\u0323\u0307bcdefs', '']) expect(stem(word)).toBe(word);
    const long = 'та'.repeat(50_000);
    expect(stem(long)).toBe(long);
  });

  test('stems a word regardless of earlier words', () => {
    const alphabet = language === 'ru' || language === 'uk' ? 'абвеёийктуыьєії' : 'abdeghijklnorstuyzäåæéèìñòøöüßç';
    const words = fc.array(fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 64 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, (list) => {
        const stems = list.map(stem);
        expect(stems.every((found) => found !== '')).toBe(true);
        expect(list.toReversed().map(stem).toReversed()).toEqual(stems);
      }),
    );
  });
});

test('the Dutch stemmer keeps no state between words', () => {
  // In natural itself, once a word has lost its final e, every later word loses -bar.
  expect(stemmers.nl('grote')).toBe('grot');
  expect(stemmers.nl('cocktailbar')).toBe('cocktailbar');
});

test('stemmers can be passed to rouge1', () => {
  expect(rouge1('die kleinen Häuser', 'die kleine Häusern', { stem: stemmers.de }).fmeasure).toBe(1);
  expect(rouge1('с новыми книгами', 'с новой книгой', { stem: stemmers.ru }).fmeasure).toBe(1);
  expect(rouge1('с новыми книгами', 'с новой книгой').fmeasure).toBe(1 / 3);
});
