import { createRandom, type Random } from './random.ts';

/** Two similar texts. */
export interface Pair {
  readonly candidate: string;
  readonly reference: string;
}

/** Draws a word. */
export type Draw = (random: Random) => string;

/**
 * Draws words as often as they occur in prose: of 10,000 words, the most frequent one makes up a tenth of the text, the
 * second half as much, the third a third as much.
 */
export function frequentWords(seed: number): Draw {
  const random = createRandom(seed);
  const invented = inventedWords(random, 10_000 - functionWords.length);
  // The more frequent a word is, the shorter it tends to be.
  const words = [...functionWords, ...sortedBy(invented, (word) => word.length + 6 * random.next())];
  const shares: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= words.length; rank += 1) {
    sum += 1 / rank;
    shares.push(sum);
  }
  return (random) => words[firstAbove(shares, random.next() * sum)]!;
}

/** Draws from 200,000 equally likely words, so that few occur twice. */
export function rareWords(seed: number): Draw {
  const words = inventedWords(createRandom(seed), 200_000);
  return (random) => random.pick(words);
}

/**
 * Creates sentences with `words` words in total, and a copy with about every fourth word changed, removed or inserted.
 */
export function makePair(random: Random, draw: Draw, words: number): Pair {
  const reference = Array.from({ length: words }, () => draw(random));
  const candidate = reference.flatMap((word) => {
    const fate = random.next();
    if (fate < 0.12) return [draw(random)];
    if (fate < 0.16) return [];
    if (fate < 0.2) return [word, draw(random)];
    return fate < 0.26 ? [`${word}s`] : [word];
  });
  return { candidate: sentences(random, candidate), reference: sentences(random, reference) };
}

function sentences(random: Random, words: readonly string[]): string {
  const spelled: string[] = [];
  let left = 0;
  for (const [index, word] of words.entries()) {
    const starts = left === 0;
    if (starts) left = 6 + random.below(14);
    left -= 1;
    const ends = left === 0 || index === words.length - 1;
    spelled.push((starts ? capital(word) : word) + (ends ? '.' : random.next() < 0.06 ? ',' : ''));
  }
  return spelled.join(' ');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const functionWords =
  'the of and to a in is it that was for on as with be by at this from or have an they not which one you were all her she there we when your can said use each do how if will up other about out many then them these so some'.split(
    ' ',
  );

/** Invents words that look and are stemmed like English ones. All differ. */
function inventedWords(random: Random, count: number): string[] {
  const words = new Set<string>();
  while (words.size < count) {
    const root = `${random.pick(onsets)}${random.pick(vowels)}${random.pick(middles)}${random.next() < 0.6 ? random.pick(vowels) + random.pick(middles) : ''}`;
    words.add(root + random.pick(endings));
  }
  return [...words];
}

const onsets = 'b br c ch cl cr d dr f fl fr g gl gr h j l m n p pl pr qu r s sc sh sl sp st str t th tr v w y'.split(
  ' ',
);
const vowels = 'a e i o u ai ea ee oa ou'.split(' ');
const middles = 'b c ck ct d g l ll m mp n nd ng nt p pt r rd rk rm rt s ss st t v x'.split(' ');
const endings = [
  ...['', '', '', 's', 's', 'ed', 'ed', 'ing', 'ing', 'er', 'e', 'y', 'ly', 'ation', 'ations', 'ment', 'ness'],
  ...[
    'able',
    'ive',
    'ize',
    'ized',
    'ity',
    'ful',
    'fully',
    'ational',
    'ies',
    'ion',
    'al',
    'ally',
    'ance',
    'ence',
    'ous',
  ],
];

function sortedBy(words: readonly string[], key: (word: string) => number): string[] {
  return words
    .map((word) => ({ word, key: key(word) }))
    .sort((a, b) => a.key - b.key)
    .map(({ word }) => word);
}

/** Returns the index of the first of these increasing numbers that is above `value`. */
function firstAbove(rising: readonly number[], value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
