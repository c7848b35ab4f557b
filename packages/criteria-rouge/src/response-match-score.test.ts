import type { Invocation, Score } from '@agent-criteria/core';
import { defaultRegistry } from '@agent-criteria/core/host';
import { evalCase, inference, invocation, testCriterion, testTools, unit } from '@agent-criteria/core/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binaryText } from '../../../test/binary-text.ts';
import { naturalLanguages } from './languages.ts';
import type { ResponseMatchOptions } from './options.ts';
import { responseMatch } from './response-match-score.ts';

/** Returns the score of one turn from the actual and the expected invocation. */
async function scoredTurn(
  actual: Invocation,
  expected: Invocation,
  input: Partial<ResponseMatchOptions> = {},
  compat: 'adk' | null = null,
): Promise<Score> {
  const validated = responseMatch.options['~standard'].validate(input);
  if (validated.issues) throw new Error(JSON.stringify(validated.issues));
  if (responseMatch.scope !== 'turn') throw new Error('the criterion judges turns');
  const turn = { index: 0, actual, expected, rubrics: [] };
  const transcript = { unit: unit(evalCase('case', [])), inference: inference([]), turns: [turn], rubrics: [] };
  return responseMatch.evaluate(turn, { options: validated.value, tools: testTools({ compat }), transcript });
}

/** Returns the score of one turn from two texts. */
function scored(
  answer: string | null,
  expected: string | null,
  input: Partial<ResponseMatchOptions> = {},
  compat: 'adk' | null = null,
): Promise<Score> {
  return scoredTurn(invocation({ answer }), invocation({ answer: expected }), input, compat);
}

test('fulfils the criterion contract', async () => {
  const one = (answer: string | null, expected: string | null) => ({
    evalCase: evalCase('case', [{ user: 'Hello', answer: expected }]),
    inference: inference([{ answer }]),
  });
  await testCriterion(responseMatch, {
    examples: [
      { name: 'the same words', ...one('The light is on.', 'the light is ON'), scores: [1] },
      { name: 'one word of four', ...one('The light is on.', 'The light is off.'), scores: [0.75] },
      { name: 'no answer', ...one(null, 'The light is on.'), scores: [0] },
      {
        name: 'no answer expected in one of two turns',
        evalCase: evalCase('case', [
          { user: 'Hello', answer: 'Hello.' },
          { user: 'Hello', answer: null },
        ]),
        inference: inference([{ answer: 'Hello!' }, { answer: 'Anything.' }]),
        scores: [1, 'not-applicable'],
      },
      {
        name: 'no answer expected, in compat mode',
        evalCase: evalCase('case', [
          { user: 'Hello', answer: 'Hello.' },
          { user: 'Hello', answer: null },
        ]),
        inference: inference([{ answer: 'Hello!' }, { answer: 'Anything.' }]),
        compat: 'adk',
        scores: [1, 0],
      },
      { name: 'another emoji', ...one('👎', '👍'), scores: ['could-not-judge'] },
      {
        name: 'a German stemmer',
        ...one('die kleinen Häuser', 'die kleine Häusern'),
        options: { language: 'de' },
        scores: [1],
      },
      { name: 'pairs of words', ...one('a b c', 'b a c'), options: { type: 'rouge2' }, scores: [0] },
      { name: 'a sequence of words', ...one('a b c', 'b a c'), options: { type: 'rougeL' }, scores: [2 / 3] },
    ],
    badOptions: [{ language: 'pl' }, { language: null }, { type: 'rouge3' }, { type: 'ROUGE1' }, { use_stemmer: true }],
  });
});

test('importing the main entry registers response_match_score', async () => {
  const { responseMatch: registered } = await import('./index.ts');
  expect(registered).toBe(responseMatch);
  expect(defaultRegistry().get('criterion', 'response_match_score')).toBe(responseMatch);
});

describe('the reason of a score', () => {
  test('lists missing and extra words in their original spelling', async () => {
    expect(await scored('Turning on the Lamp.', 'I turned on the light, Sir.')).toEqual({
      value: 0.6,
      reason: '3 of 6 expected words missing, 1 other word added',
      evidence: [{ kind: 'words', missing: ['I', 'light', 'Sir'], extra: ['Lamp'] }],
    });
  });

  test('is absent for a perfect score', async () => {
    expect(await scored('Yes', 'yes.')).toEqual({ value: 1 });
  });

  test('mentions that only the order differs', async () => {
    expect(await scored('b a', 'a b', { type: 'rouge2' })).toEqual({
      value: 0,
      reason: 'the same words in another order',
    });
  });

  test('mentions that there is no answer', async () => {
    const evidence = [{ kind: 'words', missing: ['Good', 'morning'], extra: [] }];
    for (const answer of [null, '', ' \n']) {
      expect(await scored(answer, 'Good morning')).toEqual({ value: 0, reason: 'the agent gave no answer', evidence });
    }
  });

  test('is bounded in size, whatever the answers', async () => {
    const words = Array.from({ length: 5000 }, (_, index) => `${index}${'x'.repeat(200)}`).join(' ');
    const score = await scored('nothing of it '.repeat(1000), words);
    expect(score.reason).toBe('5000 of 5000 expected words missing, 3000 other words added');
    expect(JSON.stringify(score).length).toBeLessThan(3000);
    const [words30] = score.evidence ?? [];
    if (words30?.kind !== 'words') throw new Error('no words');
    expect(words30.missing.length).toBe(30);
    expect(words30.missing[0]).toBe(`0${'x'.repeat(38)}…`);
    expect(words30.extra).toEqual(['nothing', 'of', 'it']);
  });
});

test('thoughts count as part of an answer only in compat mode', async () => {
  const plain = invocation({ answer: 'Paris' });
  const thinking = { ...plain, finalResponse: { parts: [{ text: 'France it is', thought: true }, { text: 'Paris' }] } };
  const value = async (actual: Invocation, expected: Invocation, compat: 'adk' | null) => {
    const score = await scoredTurn(actual, expected, {}, compat);
    return 'value' in score ? score.value : null;
  };
  expect(await value(thinking, plain, null)).toBe(1);
  expect(await value(plain, thinking, null)).toBe(1);
  expect(await value(thinking, plain, 'adk')).toBe(0.4);
  expect(await value(plain, thinking, 'adk')).toBe(0.4);

  const onlyThinking = { ...plain, finalResponse: { parts: [{ text: 'Paris', thought: true }] } };
  expect(await scoredTurn(onlyThinking, plain)).toMatchObject({ value: 0, reason: 'the agent gave no answer' });
  expect(await scoredTurn(plain, onlyThinking)).toMatchObject({ missing: 'not-applicable' });
  expect(await value(onlyThinking, plain, 'adk')).toBe(1);
});

describe('answers in any script', () => {
  const greetings = [
    'สวัสดี',
    'こんにちは',
    '你好',
    '안녕하세요',
    'مرحبا',
    'नमस्ते',
    'Привет',
    'שָׁלוֹם',
    'မင်္ဂလာပါ',
    'سلام',
    '👍',
    '❤️',
    '…',
    '¿?',
  ];

  test.each(greetings)('%s scores 1 against itself', async (text) => {
    expect(await scored(text, text)).toEqual({ value: 1 });
    expect(await scored(` ${text}\n`, text, { type: 'rouge2' })).toEqual({ value: 1 });
  });

  test('any text with a visible character scores 1 against itself', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), binaryText());
    const types = fc.constantFrom('rouge1', 'rouge2', 'rougeL');
    return fc.assert(
      fc.asyncProperty(text, types, async (text, type) => {
        fc.pre(text.trim() !== '');
        expect(await scored(text, text, { type })).toEqual({ value: 1 });
      }),
    );
  });

  test('an emoji either matches exactly or is could-not-judge', async () => {
    expect(await scored('☀️', '❤️')).toEqual({
      value: null,
      missing: 'could-not-judge',
      reason: 'the expected answer has no letter or digit, so rouge1 can only tell whether the answer is the same',
    });
    expect(await scored('I cannot do that.', '👍')).toMatchObject({ missing: 'could-not-judge' });
    expect(await scored('', '👍')).toEqual({ value: 0, reason: 'the agent gave no answer' });
    expect(await scored('👍', 'Done.')).toMatchObject({ value: 0 });
  });

  test("compat mode gives ADK's scores", async () => {
    expect(await scored('👍', '👍', {}, 'adk')).toMatchObject({ value: 0, reason: 'neither answer has a word' });
    expect(await scored('☀️', '❤️', {}, 'adk')).toEqual({ value: 1 });
  });
});

describe('options of response_match_score', () => {
  test('rouge2 of a single word is 1 or could-not-judge', async () => {
    expect(await scored('Yes!', 'yes', { type: 'rouge2' })).toEqual({ value: 1 });
    expect(await scored('No!', 'yes', { type: 'rouge2' })).toMatchObject({ missing: 'could-not-judge' });
    expect(await scored('yes', 'yes sir', { type: 'rouge2' })).toMatchObject({ value: 0 });
  });

  test('with the language none, words are compared including their endings', async () => {
    expect(await scored('running', 'runs')).toEqual({ value: 1 });
    expect(await scored('running', 'runs', { language: 'none' })).toMatchObject({ value: 0 });
  });

  test.each(naturalLanguages)('accepts the language %s', async (language) => {
    expect(await scored('¡Дорогами 1', '¡Дорогами 1', { language })).toEqual({ value: 1 });
  });

  test('rougeL is could-not-judge for texts that would take too long', async () => {
    const [answer, expected] = ['a '.repeat(70_000), 'b '.repeat(60_000)];
    const score = await scored(answer, expected, { type: 'rougeL' });
    expect(score).toMatchObject({ value: null, missing: 'could-not-judge' });
    expect(score.reason).toContain('70000 and 60000 words');
    expect(await scored(answer, expected)).toMatchObject({ value: 0 });
  });
});
