import { defaultRegistry } from '@agent-criteria/core/host';
import { evalCase, inference, invocation, testCriterion, unit } from '@agent-criteria/core/testing';
import { describe, expect, test } from 'vitest';
import { answering, evaluated } from './__fixtures__/evaluated.ts';
import * as criteria from './pure.ts';

const all = [criteria.multiTurnTaskSuccess, criteria.multiTurnTrajectoryQuality, criteria.multiTurnToolUseQuality];
const environment = { GOOGLE_API_KEY: 'k' };
const words = [
  { user: 'Roll a die.', answer: 'A four.' },
  { user: 'Thanks!', answer: 'At your service.' },
];

describe.each(all.map((criterion) => [criterion.name, criterion] as const))('%s', (name, criterion) => {
  test('fulfils the criterion contract', async () => {
    const one = (result: object, turns = words) => ({
      environment,
      evalCase: evalCase(
        'case',
        turns.map(() => ({ user: 'Hello' })),
      ),
      inference: inference(turns),
      answer: () => ({ metricResults: [result] }),
    });
    await testCriterion(criterion, {
      examples: [
        { name: 'all well', ...one({ score: 1 }), scores: [1] },
        { name: 'a part', ...one({ score: 0.25 }), scores: [0.25] },
        { name: 'nothing well', ...one({ score: 0 }), scores: [0] },
        { name: 'an error', ...one({ error: { code: 13, message: 'failed' } }), scores: ['could-not-judge'] },
        { name: 'in compat mode', ...one({ score: 0.5 }), compat: 'adk', scores: [0.5] },
        { name: 'silence', ...one({ score: 0 }, [{ user: 'Roll.', answer: '' }]), scores: [0] },
      ],
      badOptions: [{ location: 'US' }, { judge_model_options: {} }, { rubrics: [] }],
    });
  });

  test('sends one request per conversation, under its own name, and needs no reference', async () => {
    const { transport, requests } = answering({ metricResults: [{ score: 1 }] });
    const through = Object.values(criteria.createVertexCriteria({ transport })).find((one) => one.name === name);
    if (through === undefined) throw new Error(`there is no ${name}`);
    const led = { evalId: 'led', conversationScenario: { startingPrompt: 'Roll a die.', conversationPlan: 'Thank.' } };
    const { verdict, criterion: found } = await evaluated(through, led, words.map(invocation), { threshold: 0.8 });
    expect([verdict, found.score]).toEqual(['passed', 1]);
    expect(requests).toMatchObject([{ metrics: [{ predefinedMetricSpec: { metricSpecName: name } }] }]);
    expect(criterion.estimate?.(unit(led), 7, { requestsPerSecond: 10 })).toEqual({ min: 1, max: 1 });
  });

  test('is registered by the main entry', async () => {
    await import('./index.ts');
    expect(defaultRegistry().get('criterion', name)).toBe(criterion);
  });
});

test("the service's rubric verdicts are kept as evidence", async () => {
  const rubric = (rubricId: string, description?: string) => ({
    rubricId,
    content: description === undefined ? undefined : { property: { description } },
  });
  const { transport } = answering({
    metricResults: [
      {
        score: 0.5,
        rubricVerdicts: [
          { evaluatedRubric: rubric('b3d7', 'A die is rolled.'), verdict: true, reasoning: 'roll_die was called.' },
          { evaluatedRubric: rubric('03f4', 'The result is said.'), reasoning: 'It is not.' },
          { evaluatedRubric: rubric('77aa'), verdict: true },
          { evaluatedRubric: {} },
        ],
      },
    ],
  });
  const { taskSuccess } = criteria.createVertexCriteria({ transport });
  const { verdict, criterion } = await evaluated(
    taskSuccess,
    evalCase('case', [{ user: 'Hello' }, { user: 'Hello' }]),
    words.map(invocation),
    {
      threshold: 0.8,
    },
  );
  expect([verdict, criterion.score]).toEqual(['failed', 0.5]);
  expect(criterion.turns.at(-1)?.score).toMatchObject({
    reason: '2 of 4 rubrics are not met: The result is said. and 1 more',
    evidence: [
      {
        kind: 'json',
        label: 'rubric verdicts',
        value: [
          { id: 'A die is rolled.', verdict: true, reasoning: 'roll_die was called.' },
          { id: 'The result is said.', verdict: false, reasoning: 'It is not.' },
          { id: '77aa', verdict: true, reasoning: null },
          { id: 'rubric_3', verdict: false, reasoning: null },
        ],
      },
    ],
  });
});

test('an answer with two results is could-not-judge', async () => {
  const { transport } = answering({ metricResults: [{ score: 1 }, { score: 0 }] });
  const { taskSuccess } = criteria.createVertexCriteria({ transport });
  const { verdict, criterion } = await evaluated(
    taskSuccess,
    evalCase('case', [{ user: 'Hello' }, { user: 'Hello' }]),
    words.map(invocation),
    {
      threshold: 0.8,
    },
  );
  expect(verdict).toBe('not-evaluated');
  expect(criterion.reason).toContain('2 results for the one requested metric');
});

test('VertexCriterion is the type of the entry in a config', () => {
  const entry: criteria.VertexCriterion = { threshold: 0.8, project: 'p', location: 'us-central1' };
  expect(entry.threshold).toBe(0.8);
});
