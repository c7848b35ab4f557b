import { evalCase, inference, invocation, testCriterion, unit } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { rubricJudge, shownTo } from './__fixtures__/judges.ts';
import { rubric } from './__fixtures__/rubrics.ts';
import { scoreCase } from './__fixtures__/score-case.ts';
import { rubricBasedMultiTurnTrajectoryQuality } from './multi-turn-trajectory-quality.ts';

const type = 'TRAJECTORY_QUALITY';
const refund = evalCase('refund', [{ user: 'I want a refund.' }, { user: 'Order 7.' }], {
  rubrics: [rubric('asks', type)],
});
const refunded = inference([
  { user: 'I want a refund.', answer: 'Which order?' },
  { user: 'Order 7.', answer: 'Done.', calls: [{ name: 'refund', args: { order: 7 } }] },
]);

it('rubric_based_multi_turn_trajectory_quality_v1 fulfils the criterion contract', async () => {
  await testCriterion(rubricBasedMultiTurnTrajectoryQuality, {
    examples: [
      {
        name: 'one score for the whole conversation',
        evalCase: refund,
        inference: refunded,
        models: () => ({ judge: rubricJudge(() => 'yes') }),
        scores: [1],
      },
      {
        name: 'by the rubrics of criterion, case and last turn',
        evalCase: { ...refund, conversation: [invocation({}), { ...invocation({}), rubrics: [rubric('ends', type)] }] },
        inference: refunded,
        options: { rubrics: [rubric('polite')] },
        models: () => ({ judge: rubricJudge((id) => (id === 'asks' ? 'yes' : 'no')) }),
        scores: [1 / 3],
      },
      {
        name: 'a conversation that a simulated user led',
        evalCase: {
          evalId: 'led',
          conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Ask for a refund.' },
          rubrics: [rubric('asks', type)],
        },
        inference: refunded,
        options: { judge_model_options: { num_samples: 1 } },
        models: () => ({ judge: rubricJudge(() => 'no') }),
        scores: [0],
      },
      {
        name: 'a judge that says nothing',
        evalCase: refund,
        inference: refunded,
        models: () => ({ judge: rubricJudge(() => null) }),
        scores: ['could-not-judge'],
      },
    ],
    badOptions: [
      { rubrics: [rubric('a')], include_intermediate_responses_in_final: true },
      { rubrics: [{ rubric_id: 'a' }] },
    ],
  });
});

describe('the judge of a conversation', () => {
  it('receives all turns at once, numbered from 1, in as many calls as for a single turn', async () => {
    const judge = rubricJudge(() => 'yes');
    await scoreCase(rubricBasedMultiTurnTrajectoryQuality, { evalCase: refund, inference: refunded, judge });
    expect(judge.requests).toHaveLength(3);
    const text = shownTo(judge);
    expect(text).toContain('Turn 1\nuser: I want a refund.\nfinal answer: Which order?\n\nTurn 2\nuser: Order 7.\n');
    expect(text).toContain('tool call: refund(');
    expect(text).toMatch(/\nFor each rubric: does the agent's conduct over the whole conversation have the property/);
    const compat = rubricJudge(() => 'yes');
    await scoreCase(rubricBasedMultiTurnTrajectoryQuality, {
      evalCase: refund,
      inference: refunded,
      judge: compat,
      compat: 'adk',
    });
    expect(compat.requests).toHaveLength(5);
  });
});

describe('rubrics of earlier turns', () => {
  const early = { ...refund, conversation: [{ ...invocation({}), rubrics: [rubric('early', type)] }, invocation({})] };

  it('are not judged, with a warning', async () => {
    const { scores, result } = await scoreCase(rubricBasedMultiTurnTrajectoryQuality, {
      evalCase: early,
      inference: refunded,
      judge: rubricJudge((id) => (id === 'asks' ? 'yes' : 'no')),
    });
    expect(scores).toMatchObject([{ parts: [{ id: 'asks', value: 1 }] }]);
    expect(result.criteria[0]?.warnings).toEqual([
      expect.stringContaining('rubrics of turn 1 are not judged: "early"'),
      expect.stringContaining('context is incomplete'),
    ]);
  });

  it('cause no warning if the last turn has them too', async () => {
    const last = { ...invocation({}), rubrics: [rubric('early', type)] };
    const { result } = await scoreCase(rubricBasedMultiTurnTrajectoryQuality, {
      evalCase: { ...early, conversation: [last, last] },
      inference: refunded,
      judge: rubricJudge(() => 'yes'),
    });
    expect(result.criteria[0]?.warnings).toEqual([expect.stringContaining('context is incomplete')]);
    expect(result.verdict).toBe('passed');
  });

  it('are rejected before the run if the case has no other rubrics', async () => {
    const { rubrics: _rubrics, ...without } = early;
    const scoring = { evalCase: without, inference: refunded, judge: rubricJudge(() => 'yes') };
    await expect(scoreCase(rubricBasedMultiTurnTrajectoryQuality, scoring)).rejects.toThrow(/applies to no case/);
  });
});

it('rubric_based_multi_turn_trajectory_quality_v1 estimates the same number of calls however many turns there are', () => {
  const options = { rubrics: [], judgeModelOptions: { judgeModelConfig: {}, numSamples: 5 } };
  expect(rubricBasedMultiTurnTrajectoryQuality.estimate?.(unit(refund), 9, options)).toMatchObject({ min: 3, max: 5 });
});
