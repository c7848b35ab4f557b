import { geminiModel } from '@agent-criteria/model-gemini/pure';
import {
  type Answer,
  type FakeServer,
  faults,
  fittingAnswer,
  geminiFaults,
  startFakeGemini,
} from '@agent-criteria/test-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { conversation, scoreLed, turnsOf } from './__fixtures__/per-turn-cases.ts';

// Uses the real Gemini client with a server that behaves like Gemini.

let server: FakeServer | undefined;
afterEach(() => server?.close());

/** Judges a conversation over HTTP. */
async function judged(answer: Answer, { turns = 3, threshold = 1 } = {}) {
  server = await startFakeGemini({ answer });
  const judge = geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key', baseUrl: server.url });
  const { result, criterion } = await scoreLed({ inference: conversation(turnsOf(turns)), judge, threshold });
  const { requests } = server;
  await server.close();
  server = undefined;
  const values = criterion.turns.map(({ value }) => value);
  return { verdict: result.verdict, score: criterion.score, reason: result.reason, values, requests };
}

const refuse = (when: (text: string) => boolean): Answer =>
  fittingAnswer((path, asked) => (when(asked.text) && path !== '$.criteria' ? refusal(path) : undefined));

function refusal(path: string): false | undefined {
  return path === '$.is_valid' || path.endsWith('.passes') ? false : undefined;
}

it('approved turns pass, with three calls for each judged message and for the ending', async () => {
  const found = await judged(fittingAnswer());
  expect(found).toMatchObject({ verdict: 'passed', score: 1 });
  expect(found.requests).toHaveLength(9);
  expect(found.requests[0]?.body).toMatchObject({
    systemInstruction: { parts: [{ text: expect.stringContaining('simulated user') }] },
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { additionalProperties: false } },
  });
});

it('rejected messages fail, and a rejected ending fails the last turn', async () => {
  expect(await judged(refuse(() => true))).toMatchObject({ verdict: 'failed', values: [1, 0, 0] });
  const atTheEnd = refuse((text) => text.includes('end of the conversation]\n'));
  expect(await judged(atTheEnd)).toMatchObject({
    verdict: 'failed',
    values: [1, 1, 0],
    reason: expect.stringContaining('it is wrong to end here'),
  });
});

describe('judged turns have no score, and the case no verdict, if the judge', () => {
  const broken: readonly (readonly [string, ReturnType<Answer>])[] = [
    ['cuts every connection', faults.cutSocket],
    ['cuts every answer', faults.cutBody],
    ['is overloaded', geminiFaults.overloaded],
    ['has no quota left', geminiFaults.dailyQuota],
    ['answers with the page of a proxy', faults.badGateway],
    ['refuses the key', geminiFaults.forbidden],
    ['blocks the prompt', { blockReason: 'SAFETY' }],
    ['blocks the answer', { finish: 'blocked', text: '{"criteria": [], "is_valid": true}' }],
    ['runs out of tokens', { finish: 'length', text: '{"criteria": [], "is_valid": true}' }],
    ['gives an empty answer', { text: '' }],
    ['has no candidate', { empty: true }],
    ['only thinks', { thoughts: '{"criteria": [], "is_valid": true}' }],
    ['answers in prose', 'I would say that it is fine.'],
  ];
  it.each(broken)('%s', async (_what, said) => {
    // Two of three turns have no score, so the verdict is undecided for every threshold above 1/3.
    const found = await judged(() => said, { threshold: 0.5 });
    expect(found).toMatchObject({ verdict: 'not-evaluated', values: [1, null, null] });
    expect(found.reason).toMatch(/2 of 3 turns could not be judged: .*samples gave no opinion/);
  });
});

it('a judge that fails at the ending never passes a conversation', async () => {
  const fit = fittingAnswer();
  const dies: Answer = (asked): ReturnType<Answer> =>
    asked.text.includes('end of the conversation]\n') ? faults.cutSocket : fit(asked);
  for (const threshold of [0, 0.5, 1]) {
    expect(await judged(dies, { threshold })).toMatchObject({ verdict: 'not-evaluated', values: [1, 1, null] });
  }
});
