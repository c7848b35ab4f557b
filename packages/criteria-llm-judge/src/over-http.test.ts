import type { Criterion, EvalCase, Inference } from '@agent-criteria/core';
import { evalCase, inference } from '@agent-criteria/core/testing';
import { geminiModel } from '@agent-criteria/model-gemini/pure';
import {
  type Answer,
  type FakeServer,
  type Fault,
  faults,
  fittingAnswer,
  geminiFaults,
  startFakeGemini,
} from '@agent-criteria/test-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { rubric } from './__fixtures__/rubrics.ts';
import { scoreCase } from './__fixtures__/score-case.ts';
import {
  finalResponseMatch,
  finalResponseQuality,
  harmlessness,
  rubricBasedMultiTurnTrajectoryQuality,
  toolUseQuality,
} from './pure.ts';

// Uses the real Gemini client with a server that behaves like Gemini.

let server: FakeServer | undefined;
afterEach(() => server?.close());

const turns = [1, 2, 3, 4, 5].map((number) => ({ user: `Question ${number}`, answer: `Answer ${number}` }));
const one = turns.slice(0, 1);

const all: readonly (readonly [Criterion, object])[] = [
  [finalResponseMatch, {}],
  [finalResponseQuality, { rubrics: [rubric('first'), rubric('second')] }],
  [toolUseQuality, { rubrics: [rubric('first'), rubric('second')] }],
  [rubricBasedMultiTurnTrajectoryQuality, { rubrics: [rubric('first'), rubric('second')] }],
  [harmlessness, {}],
];

/** One case, judged over HTTP. */
async function judged(
  criterion: Criterion,
  options: object,
  answer: Answer,
  { asked = one, threshold = 1 }: { readonly asked?: typeof turns; readonly threshold?: number } = {},
) {
  server = await startFakeGemini({ answer });
  const judge = geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key', baseUrl: server.url });
  const theCase: EvalCase = evalCase('one', asked);
  const recorded: Inference = inference(asked);
  const { result, scores } = await scoreCase(criterion, {
    evalCase: theCase,
    inference: recorded,
    judge,
    options: { ...options },
    threshold,
  });
  const { requests } = server;
  await server.close();
  server = undefined;
  const [only] = result.criteria;
  return {
    verdict: result.verdict,
    score: only?.score,
    coverage: only?.coverage,
    reason: result.reason,
    scores,
    requests,
  };
}

describe.each(all.map(([criterion, options]) => ({ name: criterion.name, criterion, options })))(
  '$name over HTTP',
  ({ criterion, options }) => {
    it('passes if the judge approves, with three calls that include schema and instructions', async () => {
      const approve = fittingAnswer((path) => (path === '$.categories' ? [] : undefined));
      const found = await judged(criterion, options, approve);
      expect(found).toMatchObject({ verdict: 'passed', score: 1, coverage: 1 });
      expect(found.requests).toHaveLength(3);
      expect(found.requests[0]?.body).toMatchObject({
        systemInstruction: { parts: [{ text: expect.stringContaining('JSON object') }] },
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { additionalProperties: false } },
      });
    });

    it('fails if the judge disapproves', async () => {
      const refuse = fittingAnswer((_path, _asked, schema) => {
        const labels = Array.isArray(schema.enum) ? schema.enum : [];
        return labels.find((label) => label === 'no' || label === 'invalid' || label === 'harmful');
      });
      expect(await judged(criterion, options, refuse)).toMatchObject({ verdict: 'failed', score: 0 });
    });

    const broken: readonly (readonly [string, ReturnType<Answer>])[] = [
      ['cuts every connection', faults.cutSocket],
      ['cuts every answer', faults.cutBody],
      ['is overloaded', geminiFaults.overloaded],
      ['has no quota left', geminiFaults.dailyQuota],
      ['answers with the page of a proxy', faults.badGateway],
      ['refuses the key', geminiFaults.forbidden],
      ['blocks the prompt', { blockReason: 'SAFETY' }],
      ['blocks the answer', { finish: 'blocked', text: '{"verdict":' }],
      ['runs out of tokens', { finish: 'length', text: '{"reasoning": "It' }],
      ['returns an empty answer', { text: '' }],
      ['returns no candidate', { empty: true }],
      [
        'returns only thoughts',
        { thoughts: '{"is_the_agent_response_valid": "valid", "rubrics": [{"id": "1", "verdict": "yes"}]}' },
      ],
      ['answers in prose', 'I would say that it is fine.'],
    ];
    it.each(broken)('has no score and no verdict if the judge %s', async (_what, said) => {
      const found = await judged(criterion, options, () => said, { threshold: 0 });
      expect(found).toMatchObject({ verdict: 'not-evaluated', score: null, coverage: 0 });
      expect(found.reason).toMatch(/could not be judged: .*samples gave no opinion/);
    });
  },
);

it.each(all.slice(0, 3).map(([criterion, options]) => ({ name: criterion.name, criterion, options })))(
  '$name does not pass a case if the judge fails on four of five turns',
  async ({ criterion, options }) => {
    const fit = fittingAnswer();
    const dies: Answer = (asked): ReturnType<Answer> => {
      const died: Fault = faults.cutSocket;
      return asked.text.includes('user message]\nQuestion 3\n') ? fit(asked) : died;
    };
    for (const threshold of [0, 0.5, 1]) {
      const found = await judged(criterion, options, dies, { asked: turns, threshold });
      expect(found).toMatchObject({ verdict: 'not-evaluated', score: 1, coverage: 0.2 });
    }
  },
);
