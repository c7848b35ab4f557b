/**
 * Measures ROUGE-1 with stemming, ours compared with the peers and a bound: the time, and the difference of the scores
 * from ours.
 */
import { rouge1 } from '../packages/criteria-rouge/dist/rouge.js';
import { type Draw, frequentWords, makePair, type Pair, rareWords } from './corpus.ts';
import { median, type Pass, ratios, rounds, short, spread } from './measure.ts';
import { createRandom } from './random.ts';
import { crudeRouge1 } from './rouge-bound.ts';
import { peers, sizes } from './smallest.ts';
import { printTable } from './table.ts';

type Rouge = (candidate: string, reference: string) => number;

/** Returns an implementation based on natural: split, stem, count. */
function splitAndStem(stem: (word: string) => string): Rouge {
  const wordsOf = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '')
      .map((word) => (word.length > 3 ? stem(word) : word));
  return (candidate, reference) => {
    const made = wordsOf(candidate);
    const expected = wordsOf(reference);
    const counts = new Map<string, number>();
    for (const word of made) counts.set(word, (counts.get(word) ?? 0) + 1);
    let shared = 0;
    for (const word of expected) {
      const left = counts.get(word) ?? 0;
      if (left === 0) continue;
      shared += 1;
      counts.set(word, left - 1);
    }
    return made.length + expected.length === 0 ? 0 : (2 * shared) / (made.length + expected.length);
  };
}

/** Returns a stemmer with a cache. */
function remembering(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    let kept = known.get(word);
    if (kept === undefined) {
      if (known.size === 20_000) known.clear();
      kept = stem(word);
      known.set(word, kept);
    }
    return kept;
  };
}

async function loadPeers(): Promise<Record<string, Rouge>> {
  const { n: jsRouge } = await import('js-rouge');
  const { default: natural } = await import('natural/lib/natural/stemmers/porter_stemmer.js');
  const stem = (word: string) => natural.stem(word);
  return {
    'natural, stems remembered': splitAndStem(remembering(stem)),
    natural: splitAndStem(stem),
    'js-rouge': (candidate, reference) => jsRouge(candidate, reference),
  };
}

const ours: Rouge = (candidate, reference) => rouge1(candidate, reference).fmeasure;
const contestants: Record<string, Rouge> = { ours, bound: crudeRouge1, ...(await peers(loadPeers)) };

// Enough texts that no contestant can cache all rare words until they occur again.
const wordsOfRound = 100_000;
const wordsOfPass = 2000;

async function compare(title: string, draw: Draw): Promise<void> {
  const rows: string[][] = [];
  for (const words of sizes([20, 200, 2000], 20)) {
    const pairsOfPass = wordsOfPass / words;
    let pairs: readonly Pair[] = [];
    const passOf =
      (rouge: Rouge): Pass =>
      (number) => {
        const from = (number * pairsOfPass) % pairs.length;
        for (let index = from; index < from + pairsOfPass; index += 1) {
          const { candidate, reference } = pairs[index]!;
          rouge(candidate, reference);
        }
      };
    const passes = Object.fromEntries(Object.entries(contestants).map(([name, rouge]) => [name, passOf(rouge)]));
    const times = await rounds(passes, {
      // Uses new texts in every round. Words are repeated, as in an eval set.
      prepare(round) {
        const random = createRandom(1000 * words + round);
        pairs = Array.from({ length: wordsOfRound / words }, () => makePair(random, draw, words));
      },
    });
    for (const [name, rouge] of Object.entries(contestants)) {
      const own = times[name] ?? [];
      rows.push([
        name,
        String(words),
        short((1000 * median(own)) / pairsOfPass),
        spread(ratios(own, times.bound ?? [])),
        spread(ratios(own, times.ours ?? [])),
        difference(rouge, pairs).toFixed(3),
      ]);
    }
  }
  printTable(title, ['', 'words', 'us a pair', 'times the bound', 'times ours', 'differs by'], rows);
}

/** Returns the mean difference of the scores from ours over some pairs. */
function difference(rouge: Rouge, pairs: readonly Pair[]): number {
  const some = pairs.slice(0, 50);
  const sum = some.reduce(
    (sum, { candidate, reference }) => sum + Math.abs(rouge(candidate, reference) - ours(candidate, reference)),
    0,
  );
  return sum / some.length;
}

const aim = 'aim: ours at most 2.5 times the bound at 200 words, js-rouge 35 times ours';
await compare(`ROUGE-1, words as often as in prose (${aim})`, frequentWords(1));
await compare('ROUGE-1, hardly a word twice', rareWords(2));
