import type { LanguageModel } from '@agent-criteria/core';
import type { Caller } from '@agent-criteria/core/host';
import { evalCase, inference, invocation, testTools, unit } from '@agent-criteria/core/testing';
import type { JudgeOptionsInput } from '@agent-criteria/judge';
import { geminiModel } from '@agent-criteria/model-gemini/pure';
import { callPolicies } from '@agent-criteria/models';
import {
  type Asked,
  type FakeServer,
  type Fault,
  geminiFaults,
  type Said,
  startFakeGemini,
} from '@agent-criteria/test-servers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isSegmenting, scriptedJudge } from './__fixtures__/scripted-judge.ts';
import { hallucinations } from './hallucinations.ts';
import type { HallucinationsInput } from './options.ts';

// These tests cover the whole path to a judge and back: policies, Google's client and HTTP.

const open: FakeServer[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((server) => server.close()))));

const scripted = scriptedJudge({
  validate: (sentences) => sentences.map((text) => (/blue/.test(text) ? 'contradictory' : 'supported')),
});

/** Evaluates with the scripted judge behind HTTP; `spoil` changes its answers. */
async function scored(
  spoil: (task: 'cut' | 'label', said: string) => string | Said | Fault,
  input: HallucinationsInput & JudgeOptionsInput = {},
) {
  const server = await startFakeGemini({
    answer: async ({ system, text, sample }: Asked) => {
      const request = { system, messages: [{ role: 'user', parts: [{ text }] }], sample };
      const said = await scripted.generate(request, new AbortController().signal);
      return spoil(isSegmenting(request) ? 'cut' : 'label', said.text);
    },
  });
  open.push(server);
  const judge: LanguageModel = geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key', baseUrl: server.url });
  const policies = await callPolicies({ cache: false, maxRetries: 1 });
  const caller: Caller = {
    role: 'criterion',
    key: { setId: 'set', caseId: 'case', repeat: 0 },
    name: 'hallucinations_v1',
    turn: 0,
  };
  const tools = policies.apply(testTools({ models: { judge } }), caller);
  const validated = hallucinations.options['~standard'].validate(input);
  if (validated.issues || hallucinations.scope !== 'turn')
    throw new Error('the criterion judges turns by these options');
  const actual = invocation({ user: 'What is it like?', answer: 'It leaves at nine. It is blue.' });
  const turn = { index: 0, actual, expected: null, rubrics: [] };
  const transcript = { unit: unit(evalCase('case', [])), inference: inference([]), turns: [turn], rubrics: [] };
  const score = await hallucinations.evaluate(turn, { options: validated.value, tools, transcript });
  await policies.close();
  return { score, server };
}

const values = (score: object): unknown =>
  'parts' in score && Array.isArray(score.parts) ? score.parts.map((part) => part.value) : 'no parts';

test('hallucinations_v1 over HTTP makes two calls, each with its schema', async () => {
  const { score, server } = await scored((_, said) => said);
  expect(values(score)).toEqual([1, 0]);
  expect(server.requests.length).toBe(2);
  for (const { body } of server.requests) {
    expect(body).toMatchObject({
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { required: ['sentences'] } },
    });
  }
});

test('hallucinations_v1 over HTTP votes with three samples', async () => {
  const { score, server } = await scored((_, said) => said, { judgeModelOptions: { numSamples: 3 } });
  expect(values(score)).toEqual([1, 0]);
  expect(server.requests.length).toBe(1 + 2);
});

test('hallucinations_v1 over HTTP retries temporary failures', async () => {
  // The delays between attempts take no time.
  const wait = globalThis.setTimeout;
  const sooner = (run: () => void, milliseconds: number, ...of: []) =>
    wait(run, milliseconds >= 2500 && milliseconds < 100_000 && of.length === 0 ? 0 : milliseconds, ...of);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner as typeof setTimeout);
  onTestFinished(() => void spy.mockRestore());
  const failed = new Set<string>();
  const { score, server } = await scored((task, said) => {
    if (failed.has(task)) return said;
    failed.add(task);
    return task === 'cut' ? geminiFaults.rateLimit(0) : geminiFaults.badGateway;
  });
  expect(values(score)).toEqual([1, 0]);
  expect(server.requests.length).toBe(4);
});

describe.each<[string, string | Said | Fault]>([
  ['a key without rights', geminiFaults.forbidden],
  ['no quota for today', geminiFaults.dailyQuota],
  ['a blocked prompt', { blockReason: 'SAFETY' }],
  ['a blocked answer', { text: '', finish: 'blocked' }],
  ['an answer without a candidate', { empty: true }],
  ['an answer that was cut off', { text: '{"sentences": [', finish: 'length' }],
  ['thoughts only', { text: '', thoughts: 'Let me see.' }],
  ['nonsense', 'The moon is made of cheese.'],
])("hallucinations_v1 over HTTP, if the judge's answer is %s,", (_, spoilt) => {
  test('leaves the turn could-not-judge if it comes from the segmenter', async () => {
    const { score, server } = await scored((task, said) => (task === 'cut' ? spoilt : said));
    expect(score).toMatchObject({
      value: null,
      missing: 'could-not-judge',
      reason: expect.stringContaining('could not be split'),
    });
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  test('leaves every sentence could-not-judge if it comes from the validator', async () => {
    const { score } = await scored((task, said) => (task === 'label' ? spoilt : said));
    expect(values(score)).toEqual([null, null]);
    expect(JSON.stringify(score)).not.toContain('test-key');
  });
});
