import type { EvalCase, Inference, Invocation } from '@agent-criteria/core';
import { evalCase, inference, invocation, message, testCriterion, unit } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { rubricJudge, shownTo } from './__fixtures__/judges.ts';
import { rubric } from './__fixtures__/rubrics.ts';
import { scoreCase } from './__fixtures__/score-case.ts';
import { finalResponseQuality } from './final-response-quality.ts';

const type = 'FINAL_RESPONSE_QUALITY';
const two = { rubrics: [rubric('polite'), rubric('short')] };
const oneTurn = evalCase('one', [{ user: 'Hi', answer: 'Hello' }]);
const happened = inference([{ user: 'Hi', answer: 'Good morning!' }]);

it('rubric_based_final_response_quality_v1 fulfils the criterion contract', async () => {
  await testCriterion(finalResponseQuality, {
    examples: [
      {
        name: 'every rubric is fulfilled',
        evalCase: oneTurn,
        inference: happened,
        options: two,
        models: () => ({ judge: rubricJudge(() => 'yes') }),
        scores: [1],
      },
      {
        name: 'the score is the share of the rubrics, each by its own vote',
        evalCase: oneTurn,
        inference: happened,
        options: two,
        models: () => ({
          judge: rubricJudge((id, sample) => (id === 'polite' || sample % 2 === 0 ? 'yes' : 'no')),
        }),
        scores: [1],
      },
      {
        name: 'a rubric that does not apply counts as fulfilled, one that is not fulfilled does not',
        evalCase: oneTurn,
        inference: happened,
        options: { rubrics: [...two.rubrics, rubric('third')] },
        models: () => ({ judge: rubricJudge((id) => (id === 'short' ? 'no' : 'not_applicable')) }),
        scores: [2 / 3],
      },
      {
        name: 'a judge that says nothing of any rubric',
        evalCase: oneTurn,
        inference: happened,
        options: two,
        models: () => ({ judge: rubricJudge(() => null) }),
        scores: ['could-not-judge'],
      },
      {
        name: 'rubrics of case and turn, by type; a turn without any is not applicable',
        evalCase: {
          ...evalCase('two', [{ user: 'Hello' }, { user: 'Hello' }]),
          conversation: [
            { ...invocation({}), rubrics: [rubric('own', type), rubric('tools', 'TOOL_USE_QUALITY')] },
            { ...invocation({}), rubrics: [rubric('untyped')] },
          ],
        },
        inference: inference([{ answer: 'one' }, { answer: 'two' }]),
        models: () => ({ judge: rubricJudge((id) => (id === 'own' ? 'no' : 'yes')) }),
        scores: [0, 'not-applicable'],
      },
    ],
    badOptions: [
      { rubrics: [{ rubric_id: 'a' }] },
      { rubrics: 'polite' },
      { ...two, judge_model_options: { num_samples: 1.5 } },
      { ...two, include_intermediate_responses_in_final: 1 },
    ],
  });
});

const appDetails = {
  agentDetails: {
    root: {
      name: 'root',
      instructions: 'Never promise anything.',
      toolDeclarations: [{ functionDeclarations: [{ name: 'get_time' }] }],
    },
  },
};

const worked: Invocation = {
  ...invocation({ user: 'And now?', answer: 'It is noon.' }),
  appDetails,
  intermediateData: {
    invocationEvents: [
      {
        author: 'root',
        content: { parts: [{ text: 'I looked at the sun.' }, { functionCall: { name: 'get_time', args: {} } }] },
      },
      { author: 'root', content: { parts: [{ functionResponse: { name: 'get_time', response: { hour: 12 } } }] } },
      { author: 'root', content: message('model', 'On the way.'), groundingMetadata: { webSearchQueries: ['noon'] } },
    ],
  },
};

async function shown(options: object = {}, compat: 'adk' | null = null): Promise<string> {
  const judge = rubricJudge(() => 'yes');
  const evalCaseOfTwo: EvalCase = evalCase('two', [{ user: 'What time is it?' }, { user: 'And now?' }]);
  const recorded: Inference = {
    ...inference([]),
    invocations: [invocation({ user: 'What time is it?', answer: 'Eleven.' }), worked],
  };
  await scoreCase(finalResponseQuality, {
    evalCase: evalCaseOfTwo,
    inference: recorded,
    judge,
    options: { rubrics: [rubric('polite', undefined, 'The answer is polite.')], ...options },
    compat,
  });
  const calls = judge.requests.map((_, call) => shownTo(judge, call));
  return calls.find((text) => text.includes('It is noon.')) ?? '';
}

describe('the judge of rubric_based_final_response_quality_v1', () => {
  it('receives instructions, tools, earlier turns, message, steps, grounding, answer and rubrics, in this order', async () => {
    const text = await shown();
    const names = Array.from(text.matchAll(/\[begin \w{16}: ([^\]]*)\]/g), ([, name]) => name);
    expect(names).toEqual([
      ...['instructions', 'tools', 'earlier turns', 'user message', 'steps', 'grounding', 'final answer', 'rubrics'],
    ]);
    for (const part of [
      ...['Never promise anything.', '"get_time"', 'Turn 1\nuser: What time is it?\nfinal answer: Eleven.', 'And now?'],
      ...[
        'root claims: I looked at the sun.',
        'root calls the tool get_time({})',
        '"hour": 12',
        '"noon"',
        'It is noon.',
      ],
      ...['"id": "1"', '"text": "The answer is polite."'],
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/\nFor each rubric: does the final answer have the property that the rubric describes\?$/);
  });

  it('receives no earlier turns and only tool steps in compat mode, as in ADK', async () => {
    const text = await shown({}, 'adk');
    expect(text).not.toContain('Eleven.');
    expect(text).not.toContain('I looked at the sun.');
    expect(text).toContain('"hour": 12');
  });

  it('receives intermediate texts as part of the answer if the option is set', async () => {
    expect(await shown()).toContain(': final answer]\nIt is noon.\n');
    expect(await shown({ include_intermediate_responses_in_final: true })).toContain(
      ': final answer]\nI looked at the sun.\nOn the way.\nIt is noon.\n',
    );
  });
});

it('rubric_based_final_response_quality_v1 scores the mean of the turns, or in compat mode the mean of all rubrics, as in ADK', async () => {
  const conversation = [
    { ...invocation({}), rubrics: [rubric('b', type), rubric('c', type)] },
    { ...invocation({}), rubrics: null },
  ];
  const score = async (compat: 'adk' | null) => {
    const { result } = await scoreCase(finalResponseQuality, {
      evalCase: { evalId: 'two', conversation },
      inference: inference([{ answer: 'x' }, { answer: 'y' }]),
      judge: rubricJudge((id) => (id === 'a' ? 'yes' : 'no')),
      options: { rubrics: [rubric('a')] },
      threshold: 0.5,
      compat,
    });
    return [result.criteria[0]?.score, result.verdict];
  };
  expect(await score(null)).toEqual([2 / 3, 'passed']);
  expect(await score('adk')).toEqual([0.5, 'passed']);
});

it('rubric_based_final_response_quality_v1 estimates calls and tokens', () => {
  const options = {
    ...two,
    includeIntermediateResponsesInFinal: false,
    judgeModelOptions: { judgeModelConfig: {}, numSamples: 5 },
  };
  const few = finalResponseQuality.estimate?.(unit(oneTurn), 3, options);
  expect(few).toMatchObject({ min: 9, max: 15 });
  const long = { ...options, rubrics: [rubric('long', undefined, 'x'.repeat(10_000))] };
  const many = finalResponseQuality.estimate?.(unit(oneTurn), 3, long);
  expect(many?.tokens?.min).toBeGreaterThan((few?.tokens?.min ?? 0) + 10_000);
});
