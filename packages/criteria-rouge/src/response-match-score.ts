import {
  contentText,
  couldNotJudge,
  defineCriterion,
  type Evidence,
  type Score,
  type Tools,
  type Turn,
} from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import type { Language } from './languages.ts';
import { type RougeType, responseMatchOptions } from './options.ts';
import { type RougeOptions, rouge1, rouge2, rougeL, tokenize, type WordDifference, wordDifference } from './rouge.ts';

/**
 * ADK's `response_match_score`: how closely the wording of the agent's answer matches the expected answer, from 0 to 1.
 *
 * The score of a turn is the F-measure of ROUGE between the agent's final response and the expected one. A turn without
 * an expected answer is not applicable; a missing answer scores 0.
 */
export const responseMatch = defineCriterion({
  name: 'response_match_score',
  origin: { package: manifest.name, version: manifest.version },
  description: 'The final answer shares its words with the reference (ROUGE).',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  needs: { reference: 'response' },
  options: responseMatchOptions,
  adk: { mean: 'sum', missing: 'dropped' },
  scope: 'turn',
  evaluate(turn, { options: { language, type }, tools }) {
    // Synchronous if nothing has to be loaded, because most scores are for English.
    const stem = stemOption(language);
    return stem instanceof Promise
      ? stem.then((loaded) => compareTurn(turn, type, tools.compat, { stem: loaded }))
      : compareTurn(turn, type, tools.compat, { stem });
  },
});

function compareTurn(turn: Turn, type: RougeType, compat: Tools['compat'], options: RougeOptions): Score {
  if (turn.expected === null) return noAnswerExpected;
  const adk = compat === 'adk';
  const expected = contentText(turn.expected.finalResponse, { thoughts: adk });
  const actual = contentText(turn.actual.finalResponse, { thoughts: adk });
  if (adk) return compareWords(actual, expected, type, options);
  if (expected.trim() === '') return noAnswerExpected;
  if (actual.trim() === '') {
    return { value: 0, reason: 'the agent gave no answer', ...evidence(wordDifference('', expected, options)) };
  }
  return countable(expected, type)
    ? compareWords(actual, expected, type, options)
    : compareWhole(actual, expected, type, options);
}

const noAnswerExpected: Score = {
  value: null,
  missing: 'not-applicable',
  reason: 'the case expects no answer in this turn',
};

const measures = { rouge1, rouge2, rougeL };

/** The largest product of the two word counts for `rougeL`: less than a second of work. */
const mostWork = 4_000_000_000;

function stemOption(language: Language): RougeOptions['stem'] | Promise<RougeOptions['stem']> {
  if (language === 'en') return undefined;
  if (language === 'none') return false;
  // Loaded on demand, because most users need none of them.
  return import('./stemmers.ts').then(({ stemmers }) => stemmers[language]);
}

function compareWords(actual: string, expected: string, type: RougeType, options: RougeOptions): Score {
  if (type === 'rougeL') {
    const [given, wanted] = [countWords(actual), countWords(expected)];
    if (given * wanted > mostWork) {
      return couldNotJudge(`the answers have ${given} and ${wanted} words, too many for rougeL: use rouge1`);
    }
  }
  const value = measures[type](actual, expected, options).fmeasure;
  if (value === 1) return { value };

  const difference = wordDifference(actual, expected, options);
  const { missing, extra, referenceWords } = difference;
  const differences = [
    ...(missing.length > 0 ? [`${missing.length} of ${plural(referenceWords, 'expected word')} missing`] : []),
    ...(extra.length > 0 ? [`${plural(extra.length, 'other word')} added`] : []),
  ];
  const same = referenceWords > 0 ? 'the same words in another order' : 'neither answer has a word';
  return { value, reason: differences.join(', ') || same, ...evidence(difference) };
}

/** Whether the expected answer contains anything that ROUGE counts. A lone emoji has an invisible mark at most. */
function countable(expected: string, type: RougeType): boolean {
  return hasWord(expected) && (type !== 'rouge2' || countWords(expected) > 1);
}

/** Compares whole texts if there is nothing to count. Equal texts score 1; others could not be judged. */
function compareWhole(actual: string, expected: string, type: RougeType, options: RougeOptions): Score {
  if (wholeText(actual, options) === wholeText(expected, options)) return { value: 1 };
  const lack = hasWord(expected) ? 'a single word' : 'no letter or digit';
  return couldNotJudge(`the expected answer has ${lack}, so ${type} can only tell whether the answer is the same`);
}

function wholeText(text: string, options: RougeOptions): string {
  return hasWord(text) ? tokenize(text, options).join(' ') : text.normalize('NFKC').trim();
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.normalize('NFKC'));
}

function countWords(text: string): number {
  return tokenize(text, { stem: false }).length;
}

/** Converts both lists of words to evidence, truncated to a readable length. */
function evidence(difference: WordDifference): {
  readonly evidence?: readonly Evidence[];
} {
  const [missing, extra] = [shortened(difference.missing), shortened(difference.extra)];
  return missing.length + extra.length === 0 ? {} : { evidence: [{ kind: 'words', missing, extra }] };
}

function shortened(words: readonly string[]): string[] {
  return [...new Set(words)].slice(0, 30).map((word) => (word.length > 40 ? `${word.slice(0, 39)}…` : word));
}

function plural(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
