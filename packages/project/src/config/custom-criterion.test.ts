import {
  type CaseResult,
  createRegistry,
  resolveEvalConfig,
  scoreUnit,
  summariseCase,
} from '@agent-criteria/core/host';
import { evalCase, evalSet, inference, testCriterion, unit } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { type CustomMetricFunction, customCriterion } from './custom-criterion.ts';

const set = evalSet([
  evalCase('a', [
    { user: 'Hi', answer: 'Hello' },
    { user: 'Bye', answer: 'So long' },
  ]),
]);

/** Judges a two-turn case with the function of a custom metric. */
async function judged(
  run: CustomMetricFunction,
  entry: object | number = 0.5,
  compat: 'adk' | null = null,
): Promise<CaseResult> {
  const metric = { codeConfig: { name: './m.ts#tone' } };
  const threshold = typeof entry === 'number' ? entry : ((entry as { threshold?: number }).threshold ?? null);
  const criterion = customCriterion(run, {
    name: 'tone',
    metric,
    threshold,
    origin: { package: './m.ts#tone', version: '0.0.0-x' },
  });
  const measured = threshold === null ? { agentCriteria: { measure: ['tone'] } } : {};
  const plan = resolveEvalConfig({
    evalSet: set,
    config: { criteria: { tone: entry }, ...measured },
    registry: createRegistry([criterion]),
    compat,
  });
  const [first] = set.evalCases;
  if (first === undefined) throw new Error('the set has a case');
  const recorded = inference([
    { user: 'Hi', answer: 'Hello' },
    { user: 'Bye', answer: 'See you' },
  ]);
  return summariseCase(plan, first, [await scoreUnit(plan, unit(first), recorded)]);
}

const scores =
  (...turns: object[]): CustomMetricFunction =>
  () => ({ perInvocationResults: turns });

describe('customCriterion', () => {
  it("passes copies of ADK's four arguments to the function, once per conversation", async () => {
    const calls: unknown[][] = [];
    const { verdict, criteria } = await judged(
      (...given) => {
        calls.push(structuredClone(given));
        given[1][0] = { userContent: {} };
        (given[2] as unknown[]).length = 0;
        return { perInvocationResults: [{ score: 0.5 }, { score: 0.75 }] };
      },
      { threshold: 0.5, my_option: { Deep: 1 } },
    );
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[0]).toEqual({
      metricName: 'tone',
      threshold: null,
      criterion: { threshold: 0.5, my_option: { Deep: 1 } },
    });
    expect(calls[0]?.[1]).toMatchObject([
      { finalResponse: { parts: [{ text: 'Hello' }] } },
      { finalResponse: { parts: [{ text: 'See you' }] } },
    ]);
    expect(calls[0]?.[2]).toMatchObject([{}, { finalResponse: { parts: [{ text: 'So long' }] } }]);
    expect(calls[0]?.[3]).toBeNull();
    expect(verdict).toBe('passed');
    expect(criteria[0]).toMatchObject({ score: 0.625, turns: [{ value: 0.5 }, { value: 0.75 }] });
    expect(set.evalCases[0]?.conversation).toHaveLength(2);
  });

  it('accepts an asynchronous function and results in snake_case', async () => {
    const run = (async () => ({
      overall_score: 0.3,
      overall_eval_status: 2,
      per_invocation_results: [
        { score: 0.2, eval_status: 'FAILED', reason: 'rude', rubric_scores: [{ rubric_id: 'a' }] },
        { score: 0.4, eval_status: 2 },
      ],
    })) as unknown as CustomMetricFunction;
    const { verdict, criteria } = await judged(run);
    expect(verdict).toBe('failed');
    expect(criteria[0]?.turns[0]?.score).toMatchObject({
      value: 0.2,
      reason: 'rude',
      evidence: [{ kind: 'json', label: 'rubric scores' }],
    });
  });

  it.each([
    [
      'a turn that the function marks as not evaluated',
      scores({ score: 1, evalStatus: 3 }, { score: 1 }),
      '1 of 2 turns could not be judged: the function marked this turn as not evaluated',
    ],
    ['a turn without a score', scores({ score: null }, { score: 1 }), 'the function returned no score for this turn'],
    ['a score of NaN', scores({ score: Number.NaN }, { score: 1 }), 'which is not a number'],
    ['a score outside the range', scores({ score: 7 }, { score: 1 }), 'outside its range 0 to 1'],
    [
      'the status FAILED of a turn that reaches the threshold',
      scores({ score: 1, evalStatus: 'FAILED' }, { score: 1 }),
      'the function says failed, but its score 1 reaches the threshold 0.5',
    ],
    [
      'the status PASSED of a turn below the threshold',
      scores({ score: 0.1, evalStatus: 'passed' }, { score: 1 }),
      'the function says passed, but its score 0.1 does not reach the threshold 0.5',
    ],
    [
      'an unknown status',
      scores({ score: 1, evalStatus: 'great' }, { score: 1 }),
      'the function returned the status "great"',
    ],
    ['fewer results than turns', scores({ score: 1 }), 'returned 1 perInvocationResults, but the agent had 2 turns'],
    ['a result of undefined', (() => undefined) as unknown as CustomMetricFunction, 'returned no perInvocationResults'],
    [
      'a function that throws',
      (() => {
        throw new Error('no key');
      }) as CustomMetricFunction,
      'no key',
    ],
    [
      'a function whose promise rejects',
      (async () => {
        throw new Error('no key');
      }) as CustomMetricFunction,
      'no key',
    ],
  ])('gives the verdict not-evaluated for %s', async (_what, run, told) => {
    const { verdict, reason } = await judged(run);
    expect(verdict).toBe('not-evaluated');
    expect(reason).toContain(told);
  });

  describe.each([null, 'adk'] as const)('with an overall score from the function, compat %s', (compat) => {
    const overall = (overallScore: unknown, more: object = {}, score = 1) =>
      judged(
        (() => ({ overallScore, ...more, perInvocationResults: [{ score }, { score: 1 }] })) as CustomMetricFunction,
        0.5,
        compat,
      );

    it("takes it as the score of the case, and still reports the mean of the turns' scores", async () => {
      const low = await overall(0.25);
      expect(low.verdict).toBe('failed');
      expect(low.criteria[0]).toMatchObject({ score: 0.25, meanOfTurns: 1, coverage: 1 });
      expect(low.criteria[0]?.turns.map(({ value }) => value)).toEqual([1, 1]);
      const high = await overall(0.75, { overallEvalStatus: 'PASSED' }, 0);
      expect(high.verdict).toBe('passed');
      expect(high.criteria[0]).toMatchObject({ score: 0.75, meanOfTurns: 0.5 });
    });

    it.each([
      [Number.NaN, 'the overall score is NaN, which is not a number'],
      [Number.POSITIVE_INFINITY, 'the overall score is Infinity, which is not a number'],
      ['1', 'the overall score is a string, which is not a number'],
      [null, 'the function returned null as its overall score'],
      [1.5, 'the overall score 1.5 is outside the range 0 to 1'],
      [-1, 'the overall score -1 is outside the range 0 to 1'],
    ])('gives the verdict not-evaluated for the invalid overall score %s', async (value, why) => {
      const { verdict, reason } = await overall(value);
      expect(verdict).toBe('not-evaluated');
      expect(reason).toContain(why);
    });

    it('gives the verdict not-evaluated if any turn could not be judged', async () => {
      for (const score of [null, Number.NaN, 7] as never[]) {
        for (const value of [0, 1]) {
          const { verdict, criteria, reason } = await overall(value, {}, score);
          expect(verdict).toBe('not-evaluated');
          expect(criteria[0]?.score).toBeNull();
          expect(reason).toContain('the overall score rests on a turn that could not be judged: ');
        }
      }
    });

    it.each([
      ['FAILED', 0.9, 'the function says failed, but its overall score 0.9 reaches the threshold 0.5'],
      ['PASSED', 0.1, 'the function says passed, but its overall score 0.1 does not reach the threshold 0.5'],
      [3, 0.9, 'the function marked the conversation as not evaluated'],
    ])(
      'gives the verdict not-evaluated for the overall status %s with an overall score of %d',
      async (overallEvalStatus, value, why) => {
        const { verdict, reason } = await overall(value, { overallEvalStatus });
        expect(verdict).toBe('not-evaluated');
        expect(reason).toContain(why);
      },
    );

    it('gives the verdict informational if the config only measures the criterion', async () => {
      const { verdict, criteria } = await judged(
        () => ({ overallScore: 0.25, perInvocationResults: [{ score: 1 }, { score: 1 }] }),
        {},
        compat,
      );
      expect(verdict).toBe('informational');
      expect(criteria[0]).toMatchObject({ score: 0.25, meanOfTurns: 1 });
    });
  });

  it.each([
    ['FAILED', 0.9, 'the function says failed, but the mean of its scores 0.9 reaches the threshold 0.5'],
    ['PASSED', 0.1, 'the function says passed, but the mean of its scores 0.1 does not reach the threshold 0.5'],
    [3, 0.9, 'the function marked the conversation as not evaluated'],
  ])(
    'gives the verdict not-evaluated if the overall status %s contradicts a mean turn score of %d',
    async (overallEvalStatus, score, why) => {
      const run = () => ({ overallEvalStatus, perInvocationResults: [{ score }, { score }] });
      for (const compat of [null, 'adk'] as const) {
        const { verdict, criteria } = await judged(run, 0.5, compat);
        expect(verdict).toBe('not-evaluated');
        expect(criteria[0]?.reason).toContain(why);
      }
    },
  );

  it('accepts statuses that are consistent with the threshold', async () => {
    const run = () => ({
      overallEvalStatus: 'PASSED',
      perInvocationResults: [
        { score: 0.4, evalStatus: 'FAILED' },
        { score: 0.6, evalStatus: 1 },
      ],
    });
    expect((await judged(run)).verdict).toBe('passed');
  });

  it('ignores statuses if the config only measures the criterion', async () => {
    const { verdict, criteria } = await judged(
      () => ({
        overallEvalStatus: 'FAILED',
        perInvocationResults: [{ score: 0.5, evalStatus: 'PASSED' }, { score: 1 }],
      }),
      {},
    );
    expect(verdict).toBe('informational');
    expect(criteria[0]?.score).toBe(0.75);
  });
});

describe('conformance of customCriterion', () => {
  it('passes every check except the one for unknown options, which it accepts as ADK does', async () => {
    const run: CustomMetricFunction = (_metric, actual, expected) => ({
      perInvocationResults: actual.map((turn, index) => {
        const wanted = expected?.[index]?.finalResponse?.parts?.[0]?.text;
        if (wanted === undefined) return { score: null };
        return { score: turn.finalResponse?.parts?.[0]?.text === wanted ? 1 : 0, reason: 'compared' };
      }),
    });
    const origin = { package: './m.ts#same', version: '0.0.0-x' };
    const criterion = customCriterion(run, {
      name: 'same',
      metric: { codeConfig: { name: './m.ts#same' } },
      threshold: 0.5,
      origin,
    });
    const said = (answer: string) => inference([{ user: 'Hi', answer }]);
    const greeting = evalCase('a', [{ user: 'Hi', answer: 'Hello' }]);
    const tested = testCriterion(criterion, {
      examples: [
        { name: 'good', evalCase: greeting, inference: said('Hello'), scores: [1] },
        { name: 'bad', evalCase: greeting, inference: said('Bye'), scores: [0] },
        {
          name: 'missing',
          evalCase: evalCase('a', [{ user: 'Hi' }]),
          inference: said('Bye'),
          scores: ['could-not-judge'],
        },
      ],
    });
    const error = await tested.catch((thrown: unknown) => thrown);
    expect((error as { problems: { path: string }[] }).problems.map(({ path }) => path)).toEqual(
      ['good', 'bad', 'missing'].map((name) => `${name}: refuses an unknown option`),
    );
  });
});
