import { contentText, defineCriterion, type Evidence, type Score } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import type { Language } from './languages.ts';
import { type RougeType, responseMatchOptions } from './options.ts';
import { type RougeOptions, rouge1, rouge2, rougeL, tokenize, wordDifference } from './rouge.ts';

/**
 * ADK's `response_match_score`: how much of the wording of the expected answer the agent's answer has, from 0 to 1.
 *
 * The score of a turn is the F-measure of ROUGE between the agent's final response and the expected one. A turn without
 * an expected answer is not applicable; where the agent gave no answer, the score is 0.
 */
export const responseMatch = defineCriterion({
  name: 'response_match_score',
  origin: { package: manifest.name, version: manifest.version },
  description: 'The final answer shares its words with the reference (ROUGE).',
  gates: true,
  range: { min: 0, max: 1, better: 'higher' },
  needs: { reference: 'response' },
  options: responseMatchOptions,
  adk: { mean: 'sum', missing: 'dropped' },
  scope: 'turn',
  async evaluate(turn, options, tools) {
    if (turn.expected === null) return notApplicable;
    const thoughts = tools.compat === 'adk';
    const expected = contentText(turn.expected.finalResponse, { thoughts });
    const actual = contentText(turn.actual.finalResponse, { thoughts });
    const stem = await stemOption(options.language);

    if (tools.compat !== 'adk') {
      if (expected.trim() === '') return notApplicable;
      if (actual.trim() === '') {
        return { value: 0, reason: 'the agent gave no answer', ...evidence(wordDifference('', expected, { stem })) };
      }
      if (!isComparable(expected, options.type)) return compareWhole(actual, expected, options.type, { stem });
    }
    return compareWords(actual, expected, options.type, { stem });
  },
});

const notApplicable: Score = {
  value: null,
  missing: 'not-applicable',
  reason: 'no answer is expected in this turn',
};

const measures = { rouge1, rouge2, rougeL };

/** The most that `rougeL` is tried on, as the product of both numbers of words: about half a second. */
const greatestProduct = 4_000_000_000;

async function stemOption(language: Language): Promise<RougeOptions['stem']> {
  if (language === 'en') return undefined;
  if (language === 'none') return false;
  // Most users need none of them.
  const { stemmers } = await import('./stemmers.ts');
  return stemmers[language];
}

function compareWords(actual: string, expected: string, type: RougeType, options: RougeOptions): Score {
  const actualCount = tokenize(actual, { stem: false }).length;
  const expectedCount = tokenize(expected, { stem: false }).length;
  if (type === 'rougeL' && actualCount * expectedCount > greatestProduct) {
    return couldNotJudge(`answers of ${actualCount} and ${expectedCount} words are too long for rougeL: use rouge1`);
  }
  const value = measures[type](actual, expected, options).fmeasure;
  if (value === 1) return { value };
  const difference = wordDifference(actual, expected, options);
  const { missing, extra } = difference;
  if (missing.length + extra.length === 0) {
    return { value, reason: actualCount === 0 ? 'neither answer has a word' : 'the words are in another order' };
  }
  const reason = `${missing.length} of ${count(expectedCount, 'expected word')} missing, ${count(extra.length, 'other word')} added`;
  return { value, reason, ...evidence(difference) };
}

/** ROUGE sees letters and digits. Of a lone emoji it sees at most an invisible mark, which many emoji share. */
function isComparable(expected: string, type: RougeType): boolean {
  if (!/[\p{L}\p{N}]/u.test(expected.normalize('NFKC'))) return false;
  return type !== 'rouge2' || tokenize(expected, { stem: false }).length > 1;
}

/** Where ROUGE has nothing to count: a text equals itself, and of any other nothing can be said. */
function compareWhole(actual: string, expected: string, type: RougeType, options: RougeOptions): Score {
  if (wholeText(actual, options) === wholeText(expected, options)) return { value: 1 };
  const lack = type === 'rouge2' ? 'fewer than two words' : 'no letter or digit';
  return couldNotJudge(`the expected answer has ${lack}, so that ${type} can only tell whether the answer is the same`);
}

function wholeText(text: string, options: RougeOptions): string {
  return /[\p{L}\p{N}]/u.test(text) ? tokenize(text, options).join(' ') : text.normalize('NFKC').trim();
}

function couldNotJudge(reason: string): Score {
  return { value: null, missing: 'could-not-judge', reason };
}

/** Enough for a reader, whatever the length of the answers. */
function evidence(difference: { readonly missing: readonly string[]; readonly extra: readonly string[] }): {
  readonly evidence: readonly Evidence[];
} {
  return { evidence: [{ kind: 'words', missing: shortened(difference.missing), extra: shortened(difference.extra) }] };
}

function shortened(words: readonly string[]): string[] {
  return [...new Set(words)].slice(0, 30).map((word) => (word.length > 40 ? `${word.slice(0, 39)}…` : word));
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
