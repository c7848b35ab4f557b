import { contentText, noOptions } from '@agent-criteria/core';
import { evalCase, inference, scriptedModel, testCriterion, testTools, unit } from '@agent-criteria/core/testing';
import { expect, it } from 'vitest';
import { defineJudgeCriterion, type JudgeCriterionDefinition } from './define-judge-criterion.ts';

const origin = { package: 'test', version: '1.0.0' };

const politenessDefinition = {
  name: 'politeness',
  origin,
  description: 'The answer is polite.',
  promptVersion: '1',
  instructions: 'You judge the manners of an assistant. Bluntness is fine; contempt is not.',
  question: 'Is the answer polite?',
  options: noOptions,
  material({ actual }) {
    const answer = contentText(actual.finalResponse);
    if (answer === '') return { notApplicable: 'there is no answer' };
    return { 'user message': contentText(actual.userContent), answer };
  },
} satisfies JudgeCriterionDefinition<string, object, object>;

const politeness = defineJudgeCriterion(politenessDefinition);

const patience = defineJudgeCriterion({
  name: 'patience',
  origin,
  description: 'The agent stays patient to the end.',
  promptVersion: '1',
  instructions: 'You judge the patience of an assistant.',
  question: 'Was the assistant patient in all of its answers?',
  labels: { key: 'was_patient', positive: 'true', negative: 'false' },
  options: noOptions,
  scope: 'conversation',
  material: ({ turns }) => ({ answers: turns.map(({ actual }) => contentText(actual.finalResponse)).join('\n') }),
});

const saying = (verdict: string, key = 'verdict') => ({
  models: () => ({ judge: scriptedModel(() => JSON.stringify({ reasoning: `it is ${verdict}`, [key]: verdict })) }),
});
const one = evalCase('one', [{ user: 'Help!', answer: 'Of course.' }]);

it('a judge criterion for turns passes the conformance suite', async () => {
  await testCriterion(politeness, {
    examples: [
      {
        name: 'yes is 1',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'Gladly.' }]),
        ...saying('yes'),
        scores: [1],
      },
      {
        name: 'no is 0',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'No.' }]),
        ...saying('No '),
        scores: [0],
      },
      {
        name: 'another word is could-not-judge',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'No.' }]),
        ...saying('not applicable'),
        scores: ['could-not-judge'],
      },
      {
        name: 'a turn without material is not applicable',
        evalCase: one,
        inference: inference([{ user: 'Help!' }]),
        ...saying('yes'),
        scores: ['not-applicable'],
      },
    ],
  });
});

it('a judge criterion for conversations passes the conformance suite', async () => {
  await testCriterion(patience, {
    examples: [
      {
        name: 'custom labels and a custom key',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'Gladly.' }]),
        ...saying('true', 'was_patient'),
        scores: [1],
      },
      {
        name: 'contradictory verdicts are could-not-judge',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'No.' }]),
        models: () => ({ judge: scriptedModel(() => '{"was_patient":"false"}\n{"was_patient":"true"}') }),
        scores: ['could-not-judge'],
      },
      {
        name: 'a repeated verdict counts',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'No.' }]),
        models: () => ({
          judge: scriptedModel(() => '{"reasoning":"a","was_patient":"false"} So: {"was_patient":"False."}'),
        }),
        scores: [0],
      },
      {
        name: 'a list with one verdict counts as the verdict',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'No.' }]),
        models: () => ({ judge: scriptedModel(() => '{"was_patient":["false"]}') }),
        scores: [0],
      },
    ],
  });
});

it('defineJudgeCriterion() ignores undefined materials, reasons and labels', async () => {
  const asked: string[] = [];
  const thrift = defineJudgeCriterion({
    name: 'thrift',
    origin,
    description: 'The answer is short.',
    promptVersion: '1',
    instructions: 'You judge the length of an answer.',
    question: 'Is it short?',
    labels: { key: undefined, positive: 'yes', negative: 'no', alsoPositive: undefined, alsoNegative: undefined },
    options: noOptions,
    material: ({ actual }) => ({
      answer: contentText(actual.finalResponse),
      document: undefined,
      notApplicable: undefined,
    }),
  });
  const model = scriptedModel(({ messages }) => {
    asked.push(JSON.stringify(messages));
    return '{"reasoning":"short","verdict":"yes"}';
  });
  await testCriterion(thrift, {
    examples: [
      {
        name: 'undefined material is left out',
        evalCase: one,
        inference: inference([{ user: 'Help!', answer: 'Gladly.' }]),
        models: () => ({ judge: model }),
        scores: [1],
      },
    ],
  });
  expect(asked[0]).toContain('answer');
  expect(asked.join()).not.toContain('document');
});

it.each([
  ['the same word twice', { positive: 'Yes', negative: 'yes' }],
  ['an empty word', { positive: '', negative: 'no' }],
  ['a word for both', { positive: 'yes', negative: 'no', alsoNegative: ['yes'] }],
  ['the key of the reasoning', { key: 'reasoning', positive: 'yes', negative: 'no' }],
])('defineJudgeCriterion() rejects ambiguous labels: %s', (_what, labels) => {
  const definition = {
    name: 'broken',
    origin,
    description: 'x',
    promptVersion: '1',
    instructions: 'x',
    question: 'x?',
  };
  expect(() => defineJudgeCriterion({ ...definition, labels, options: noOptions, material: () => ({}) })).toThrow(
    'labels',
  );
});

it('defineJudgeCriterion() rejects a definition for an older version, naming the renamed method', () => {
  const definition = { name: 'older', origin, description: 'x', promptVersion: '1', instructions: 'x', question: 'x?' };
  const built = { ...definition, options: noOptions, show: () => ({ answer: 'x' }) };
  // @ts-expect-error A definition for an older version.
  expect(() => defineJudgeCriterion(built)).toThrow(/"older" has no material method; `show` is now `material`/);
});

it.each<[string, (...given: never[]) => unknown]>([
  [
    'reads the transcript',
    (_turn, transcript: { turns?: unknown[] }) => ({ answer: `of ${transcript.turns?.length}` }),
  ],
  ['has defaults', (_turn, _all = {} as never, options: { words?: number } = {}) => ({ answer: `${options.words}` })],
  ['takes four arguments', (_turn, _transcript, _options, compat) => ({ answer: `${compat}` })],
])('a judge criterion throws if its material method has the old form: it %s', async (_what, material) => {
  const older = defineJudgeCriterion({ ...politenessDefinition, material: material as never });
  const judge = scriptedModel(() => '{"reasoning":"it is", "verdict":"yes"}');
  const happened = inference([{ user: 'Help!', answer: 'Gladly.' }]);
  const [actual] = happened.invocations;
  if (actual === undefined) throw new Error('there is no turn');
  const turn = { index: 0, actual, expected: null, rubrics: [] };
  const transcript = { unit: unit(one), inference: happened, turns: [turn], rubrics: [] };
  const judged = optionsOf(older.options['~standard'].validate({}));
  await expect(
    older.evaluate(turn as never, { options: judged, tools: testTools({ models: { judge } }), transcript }),
  ).rejects.toThrow('is called as material(turn, { transcript, options, compat })');
  expect(judge.requests).toEqual([]);
});

function optionsOf<T>(validated: { readonly value: T } | { readonly issues: unknown } | Promise<unknown>): T {
  if (!('value' in validated)) throw new Error('the options are refused');
  return validated.value;
}
