import { evalCase, inference, testCriterion } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { rubricJudge, shownTo } from './__fixtures__/judges.ts';
import { rubric } from './__fixtures__/rubrics.ts';
import { scoreCase } from './__fixtures__/score-case.ts';
import { toolUseQuality } from './tool-use-quality.ts';

const booking = evalCase('booking', [{ user: 'Book it.' }], { rubrics: [rubric('once', 'TOOL_USE_QUALITY')] });
const booked = inference([
  { user: 'Book it.', answer: 'I booked it twice, trust me.', calls: [{ name: 'book', args: { seat: '4A' } }] },
]);

it('rubric_based_tool_use_quality_v1 fulfils the criterion contract', async () => {
  await testCriterion(toolUseQuality, {
    examples: [
      {
        name: 'the rubrics of the case and of the criterion',
        evalCase: booking,
        inference: booked,
        options: { rubrics: [rubric('seat')] },
        models: () => ({ judge: rubricJudge((id) => (id === 'seat' ? 'yes' : 'no')) }),
        scores: [0.5],
      },
      {
        name: 'a judge that forgets one rubric in every sample',
        evalCase: booking,
        inference: booked,
        options: { rubrics: [rubric('seat')] },
        models: () => ({ judge: rubricJudge((id) => (id === 'seat' ? 'yes' : null)) }),
        scores: [1],
      },
      {
        name: 'a turn without a tool call is judged',
        evalCase: booking,
        inference: inference([{ answer: 'No.' }]),
        options: { judge_model_options: { num_samples: 1 } },
        models: () => ({ judge: rubricJudge(() => 'no') }),
        scores: [0],
      },
      {
        name: 'a judge without an opinion',
        evalCase: booking,
        inference: booked,
        models: () => ({ judge: rubricJudge(() => 'perhaps') }),
        scores: ['could-not-judge'],
      },
    ],
    badOptions: [
      { rubrics: [rubric('a')], include_intermediate_responses_in_final: true },
      { rubrics: [{}] },
      { hallucinations: true },
    ],
  });
});

describe('the judge of rubric_based_tool_use_quality_v1', () => {
  const text = async (compat: 'adk' | null) => {
    const judge = rubricJudge(() => 'yes');
    await scoreCase(toolUseQuality, {
      evalCase: evalCase(
        'two',
        [{ user: 'Any seat?' }, { user: 'Book it.' }],
        booking.rubrics ? { rubrics: booking.rubrics } : {},
      ),
      inference: {
        ...booked,
        invocations: [...inference([{ user: 'Any seat?', answer: '4A.' }]).invocations, ...booked.invocations],
      },
      judge,
      compat,
    });
    const calls = judge.requests.map((_, call) => shownTo(judge, call));
    return calls.find((shown) => shown.includes('"seat"')) ?? '';
  };

  it('receives tools, earlier turns, the message, the calls and the rubrics, but no answer', async () => {
    const shown = await text(null);
    expect(shown).toContain('(tools: none)');
    expect(shown).toContain('final answer: 4A.');
    expect(shown).toContain('"tool": "book"');
    expect(shown).toContain('"seat": "4A"');
    expect(shown).not.toContain('trust me');
    expect(shown).toMatch(/\nFor each rubric: do the tool calls have the property that the rubric describes\?$/);
  });

  it('receives no earlier turns in compat mode, as in ADK', async () => {
    expect(await text('adk')).not.toContain('4A.');
  });
});
