import { evalCase, inference, invocation, testCriterion, unit } from '@agent-criteria/core/testing';
import { expect, test } from 'vitest';
import { answering, evaluated } from './__fixtures__/evaluated.ts';
import { createVertexCriteria, responseEvaluation } from './pure.ts';

const environment = { GOOGLE_API_KEY: 'k' };

test('fulfils the criterion contract', async () => {
  const one = (answer: string | null, result: object = { score: 5 }) => ({
    environment,
    evalCase: evalCase('case', [{ user: 'How?', answer: 'So.' }]),
    inference: inference([{ user: 'How?', answer }]),
    answer: () => ({ coherenceResult: result }),
  });
  await testCriterion(responseEvaluation, {
    examples: [
      { name: 'coherent', ...one('So.'), scores: [5] },
      { name: 'muddled', ...one('But or.', { score: 1, explanation: 'It does not hang together.' }), scores: [1] },
      { name: 'no answer', ...one(null), scores: ['not-applicable'] },
      { name: 'below the range', ...one('So.', { score: 0 }), scores: ['could-not-judge'] },
      { name: 'no score', ...one('So.', { confidence: 1 }), scores: ['could-not-judge'] },
    ],
    badOptions: [{ threshold: 0.5 }, { api_endpoint: 'http://vertex.example' }],
  });
});

test('sends only the answer to the service’s coherence metric, for each expected turn', async () => {
  const { transport, requests } = answering({ coherenceResult: { score: 4, explanation: 'Mostly.', confidence: 1 } });
  const words = [{ user: 'How?', answer: 'So.' }];
  const { responseEvaluation: own } = createVertexCriteria({ transport });
  const { verdict, criterion } = await evaluated(own, evalCase('case', words), words.map(invocation), {
    threshold: 4.5,
  });
  expect(requests).toEqual([{ coherenceInput: { metricSpec: {}, instance: { prediction: 'So.' } } }]);
  expect([verdict, criterion.score]).toEqual(['failed', 4]);
  expect(criterion.turns[0]?.score).toMatchObject({ reason: 'Mostly.', evidence: [{ kind: 'note', text: 'Mostly.' }] });
  expect(responseEvaluation.estimate?.(unit(evalCase('case', words)), 2, { requestsPerSecond: 10 })).toEqual({
    min: 0,
    max: 2,
  });
});

test('needs a reference, as in ADK', async () => {
  const { transport } = answering({ coherenceResult: { score: 4 } });
  const { responseEvaluation: own } = createVertexCriteria({ transport });
  const led = { evalId: 'led', conversationScenario: { startingPrompt: 'How?', conversationPlan: 'Go.' } };
  const asking = evaluated(own, led, [invocation({ user: 'How?', answer: 'So.' })], { threshold: 3 });
  await expect(asking).rejects.toThrow('a simulated conversation has none');
});
