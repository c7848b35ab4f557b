import { type RougeOptions, tokenize } from './tokenize.ts';
import { spelledWords } from './words.ts';

/** The words that only one of two texts has, as that text spells them, in its order. */
export interface WordDifference {
  /** Of the reference, not in the candidate. */
  readonly missing: readonly string[];
  /** Of the candidate, not in the reference. */
  readonly extra: readonly string[];
}

/** Compares word for word, by stem: what the reference has twice and the candidate once is missing once. */
export function wordDifference(
  candidate: string,
  reference: string,
  options: Pick<RougeOptions, 'stem'> = {},
): WordDifference {
  const candidateStems = tokenize(candidate, options);
  const referenceStems = tokenize(reference, options);
  return {
    missing: surplus(reference, referenceStems, candidateStems),
    extra: surplus(candidate, candidateStems, referenceStems),
  };
}

/** The words of a text whose stems are not among `others`, each of which answers for one. */
function surplus(text: string, stems: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const stem of others) left.set(stem, (left.get(stem) ?? 0) + 1);
  const spelled = spelledWords(text);
  return stems.flatMap((stem, index) => {
    const count = left.get(stem) ?? 0;
    if (count === 0) return [spelled[index] ?? stem];
    left.set(stem, count - 1);
    return [];
  });
}
