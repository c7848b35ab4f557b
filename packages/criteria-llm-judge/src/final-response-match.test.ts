import type { EvalCase, Invocation, Score } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig, scoreUnit } from '@agent-criteria/core/host';
import {
  evalCase,
  evalSet,
  inference,
  invocation,
  message,
  testCriterion,
  testTools,
  unit,
} from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { matchJudge, shownTo } from './__fixtures__/judges.ts';
import { scoreCase } from './__fixtures__/score-case.ts';
import { finalResponseMatch } from './final-response-match.ts';

const weather = evalCase('weather', [{ user: 'How warm is it?', answer: '21 degrees.' }]);
const answered = inference([{ user: 'How warm is it?', answer: 'It is 21 °C outside.' }]);

it('final_response_match_v2 fulfils the criterion contract', async () => {
  await testCriterion(finalResponseMatch, {
    examples: [
      {
        name: 'a unanimous judge finds it valid',
        evalCase: weather,
        inference: answered,
        models: () => ({ judge: matchJudge(() => 'valid') }),
        scores: [1],
      },
      {
        name: 'three of five find it invalid',
        evalCase: weather,
        inference: answered,
        models: () => ({ judge: matchJudge((sample) => (sample % 2 === 0 ? 'invalid' : 'valid')) }),
        scores: [0],
      },
      {
        name: 'a tie is negative',
        evalCase: weather,
        inference: answered,
        options: { judge_model_options: { num_samples: 4 } },
        models: () => ({ judge: matchJudge((sample) => (sample < 2 ? 'valid' : 'invalid')) }),
        scores: [0],
      },
      {
        name: 'two readable samples of five are no majority',
        evalCase: weather,
        inference: answered,
        models: () => ({ judge: matchJudge((sample) => (sample < 2 ? 'valid' : { text: 'I cannot tell.' })) }),
        scores: ['could-not-judge'],
      },
      {
        name: 'a turn without an expected answer is not applicable, one without an answer is judged',
        evalCase: evalCase('two', [
          { user: 'Hello', answer: null },
          { user: 'Hello', answer: 'Yes.' },
          { user: 'Hello', answer: ' \n' },
        ]),
        inference: inference([{ answer: 'Hello' }, { answer: null }, { answer: 'Hello' }]),
        models: () => ({ judge: matchJudge(() => 'invalid') }),
        scores: ['not-applicable', 0, 'not-applicable'],
      },
      {
        name: 'a model of its own is asked',
        evalCase: weather,
        inference: answered,
        options: { judgeModelOptions: { judgeModel: 'own', numSamples: 1 }, includeIntermediateResponsesInFinal: true },
        models: () => ({ own: matchJudge(() => 'valid') }),
        scores: [1],
      },
    ],
    badOptions: [
      { judge_model_options: { num_samples: 0 } },
      { judge_model_options: { num_smaples: 3 } },
      { include_intermediate_responses_in_final: 'yes' },
      { rubrics: [] },
    ],
  });
});

/** Returns the score of the first turn and the text shown to the judge. */
async function judged(
  {
    options = {},
    compat = null,
    expected,
    actual,
  }: {
    readonly options?: Readonly<Record<string, unknown>>;
    readonly compat?: 'adk' | null;
    readonly expected: Invocation;
    readonly actual: Invocation;
  },
  says: (sample: number) => string = () => 'valid',
): Promise<{ score: Score | undefined; shown: string; requests: number }> {
  const judge = matchJudge(says);
  const theCase: EvalCase = { evalId: 'one', conversation: [expected] };
  const plan = resolveEvalConfig({
    evalSet: evalSet([theCase]),
    config: { criteria: { final_response_match_v2: { threshold: 1, ...options } } },
    registry: createRegistry([finalResponseMatch]),
    models: () => judge,
    compat,
  });
  const happened = { ...inference([]), invocations: [actual] };
  const { criteria } = await scoreUnit(plan, unit(theCase), happened);
  return { score: criteria[0]?.scores[0], shown: shownTo(judge), requests: judge.requests.length };
}

const spoken: Invocation = {
  ...invocation({ user: 'asked', answer: 'last words' }),
  intermediateData: {
    invocationEvents: [
      { author: 'sub', content: message('model', 'words on the way') },
      { author: 'sub', content: { parts: [{ text: 'a secret thought', thought: true }] } },
    ],
  },
};

describe('the judge of final_response_match_v2', () => {
  it('sees the question, the answer and the reference between fences, followed by its task', async () => {
    const { shown } = await judged({
      expected: invocation({ user: 'expected question', answer: 'the reference' }),
      actual: invocation({ user: 'asked question', answer: 'the answer' }),
    });
    expect(shown).toMatch(
      /\[begin (\w{16}): user message\]\nasked question\n\[end \1: user message\]\n\n\[begin \1: agent's answer\]\nthe answer\n\[end \1: agent's answer\]\n\n\[begin \1: reference answer\]\nthe reference\n\[end \1: reference answer\]\n\nIs the agent's answer valid\?$/,
    );
    expect(shown).not.toContain('expected question');
  });

  it("sees the reference's question in compat mode, as in ADK", async () => {
    const expected = invocation({ user: 'What is the toll?', answer: 'It is 5 euro.' });
    const actual = invocation({ user: "what's the toll", answer: '5 EUR' });
    const { shown } = await judged({ compat: 'adk', expected, actual });
    expect(shown).toContain('What is the toll?');
    expect(shown).not.toContain("what's the toll");
  });

  it('is asked until the vote is decided, or num_samples times in compat mode', async () => {
    const turns = { expected: invocation({ answer: 'yes' }), actual: invocation({ answer: 'yes' }) };
    expect((await judged(turns)).requests).toBe(3);
    expect((await judged(turns, (sample) => (sample === 1 ? 'invalid' : 'valid'))).requests).toBe(4);
    expect((await judged({ ...turns, compat: 'adk' })).requests).toBe(5);
  });

  it('sees intermediate texts as part of both answers if the option is set, and never thoughts', async () => {
    const both = { expected: spoken, actual: spoken };
    const last = await judged(both);
    expect(last.shown).not.toContain('on the way');
    const whole = await judged({ ...both, options: { include_intermediate_responses_in_final: true } });
    expect(whole.shown.match(/words on the way\nlast words/g)).toHaveLength(2);
    expect(whole.shown).not.toContain('secret');
  });

  it('accepts the intermediate texts of an expected turn as the reference if the option is set', async () => {
    const expected = { ...spoken, finalResponse: null };
    const second = invocation({ answer: 'so that the case has an answer' });
    const judge = matchJudge(() => 'valid');
    const theCase: EvalCase = { evalId: 'one', conversation: [expected, second] };
    for (const [whole, outcome] of [
      [true, { value: 1 }],
      [false, { missing: 'not-applicable' }],
    ] as const) {
      const plan = resolveEvalConfig({
        evalSet: evalSet([theCase]),
        config: { criteria: { final_response_match_v2: { threshold: 1, includeIntermediateResponsesInFinal: whole } } },
        registry: createRegistry([finalResponseMatch]),
        models: () => judge,
      });
      const happened = { ...inference([]), invocations: [spoken, spoken] };
      const { criteria } = await scoreUnit(plan, unit(theCase), happened);
      expect(criteria[0]?.scores[0]).toMatchObject(outcome);
    }
  });

  it('is recorded with its reason, vote and opinions', async () => {
    const turns = { expected: invocation({ answer: 'yes' }), actual: invocation({ answer: 'no' }) };
    const { score } = await judged(turns, (sample) => (sample === 0 ? 'valid' : 'invalid'));
    expect(score).toMatchObject({
      value: 0,
      reason: 'sample 1',
      evidence: [
        { kind: 'vote', positive: 1, negative: 3, unreadable: 0, of: 5 },
        {
          kind: 'opinions',
          prompt: 'final_response_match_v2/2',
          questions: [{ id: 'final_response_match_v2' }],
          samples: {
            length: 4,
            0: { sample: 0, model: 'scripted', opinions: [{ label: 'valid', rationale: 'sample 0' }] },
          },
        },
      ],
    });
  });
});

describe('a turn that expects no answer', () => {
  const expected = invocation({ user: 'Hi', answer: null });
  const actual = invocation({ user: 'Hi', answer: 'Hello' });

  it('is judged against nothing in compat mode', async () => {
    const { score, shown } = await judged({ compat: 'adk', expected, actual }, () => 'invalid');
    expect(score).toMatchObject({ value: 0 });
    expect(shown).toContain('(reference answer: none)');
  });

  it('is not applicable if there is no expected turn, even in compat mode', async () => {
    if (finalResponseMatch.scope !== 'turn') throw new Error('it judges turns');
    const turn = { index: 0, actual, expected: null, rubrics: [] };
    const transcript = { unit: unit({ evalId: 'one' }), inference: inference([]), turns: [turn], rubrics: [] };
    const options = {
      includeIntermediateResponsesInFinal: false,
      judgeModelOptions: { judgeModelConfig: {}, numSamples: 5 },
    };
    const score = await finalResponseMatch.evaluate(turn, { options, tools: testTools({ compat: 'adk' }), transcript });
    expect(score).toMatchObject({ missing: 'not-applicable' });
  });

  it('is reported before the run if all turns are like that, except in compat mode', () => {
    const resolve = (compat: 'adk' | null) =>
      resolveEvalConfig({
        evalSet: evalSet([{ evalId: 'one', conversation: [expected] }]),
        config: { criteria: { final_response_match_v2: 1 } },
        registry: createRegistry([finalResponseMatch]),
        models: () => matchJudge(() => 'valid'),
        compat,
      });
    expect(() => resolve(null)).toThrow(/final_response_match_v2 applies to no case/);
    expect(resolve('adk').criteria).toHaveLength(1);
  });
});

it('final_response_match_v2 estimates a range from the fewest calls that can decide the vote to one call per sample', () => {
  const options = {
    includeIntermediateResponsesInFinal: false,
    judgeModelOptions: { judgeModelConfig: {}, numSamples: 5 },
  };
  expect(finalResponseMatch.estimate?.(unit(weather), 2, options)).toMatchObject({ min: 6, max: 10 });
  expect(finalResponseMatch.models?.(options)).toEqual(['judge']);
});

describe('an answer of the judge of final_response_match_v2', () => {
  const scoreOf = async (text: string) => {
    const judge = matchJudge(() => ({ text }));
    const options = { judge_model_options: { num_samples: 1 } };
    const { result } = await scoreCase(finalResponseMatch, { evalCase: weather, inference: answered, judge, options });
    return result.criteria[0]?.score;
  };

  it.each(['valid?', 'not valid', 'valid, I think', 'valid..', ''])('has no readable label: %j', async (label) => {
    expect(await scoreOf(JSON.stringify({ is_the_agent_response_valid: label }))).toBe(null);
  });
});
