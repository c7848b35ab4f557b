import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Invocation } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { type EvaluateSettings, evaluate } from '@agent-criteria/project';
import {
  type EvaluationAsked,
  type FakeServer,
  startFakeCredentials,
  startFakeEvaluationService,
} from '@agent-criteria/test-servers';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as criteria from './pure.ts';

// A complete run of all criteria with the real client, against a server that rejects every field unknown to the
// service.

let runs = 0;
/** Returns an invocation with a new id for every call, like a real agent. */
function agent(message: string): Invocation {
  runs += 1;
  const id = `call-${runs}`;
  return {
    invocationId: `e-${runs}`,
    userContent: { role: 'user', parts: [{ text: message }] },
    intermediateData: {
      invocationEvents: [
        { author: 'roller', content: { role: 'model', parts: [{ text: 'I roll.', thought: true }] } },
        {
          author: 'roller',
          content: { role: 'model', parts: [{ functionCall: { id, name: 'roll', args: { a_b: 1 } } }] },
        },
        {
          author: 'roller',
          content: { role: 'user', parts: [{ functionResponse: { id, name: 'roll', response: { c_d: 4 } } }] },
        },
      ],
    },
    finalResponse: { role: 'model', parts: [{ text: 'A four.' }] },
    appDetails: { agentDetails: { roller: { name: 'roller', instructions: 'Roll dice.', toolDeclarations: [] } } },
  };
}

const turn = (text: string) => ({
  userContent: { parts: [{ text }] },
  finalResponse: { parts: [{ text: 'A four.' }] },
});
const evalSet = {
  evalSetId: 'dice',
  evalCases: [{ evalId: 'one', conversation: [turn('Roll.'), turn('Again.')] }],
};
const registered = [
  ...[criteria.multiTurnTaskSuccess, criteria.multiTurnTrajectoryQuality, criteria.multiTurnToolUseQuality],
  criteria.responseEvaluation,
];

async function run(service: FakeServer | null, more: Partial<EvaluateSettings>) {
  const credentials = await startFakeCredentials();
  onTestFinished(() => credentials.close());
  const place = { GOOGLE_CLOUD_PROJECT: 'test-project', GOOGLE_CLOUD_LOCATION: 'us-central1' };
  const variables: Readonly<Record<string, string | undefined>> =
    service === null ? {} : { ...credentials.environment, ...place, GOOGLE_VERTEX_BASE_URL: service.url };
  for (const name of [...Object.keys(credentials.environment), ...Object.keys(place), 'GOOGLE_VERTEX_BASE_URL']) {
    vi.stubEnv(name, variables[name]);
  }
  vi.stubEnv('GOOGLE_API_KEY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = {
    criteria: Object.fromEntries(
      registered.map(({ name, range }) => [name, { threshold: range.max ?? 1, requests_per_second: 500 }]),
    ),
  };
  const registry = createRegistry(registered);
  const calls = { cache: false as const, ...more.calls };
  return evaluate({ agent, evalSet, config, registry, environment: { ...process.env }, ...more, calls });
}

test('a recorded run can be replayed although every id has changed', async () => {
  const asked: EvaluationAsked[] = [];
  const service = await startFakeEvaluationService({
    evaluate(question) {
      asked.push(question);
      if (question.metric === 'coherence') return 5;
      const rubric = { rubricId: 'r1', content: { property: { description: 'It rolls.' } } };
      return { result: { score: 1, rubricVerdicts: [{ evaluatedRubric: rubric, verdict: true }] } };
    },
  });
  onTestFinished(() => service.close());
  const folder = mkdtempSync(join(tmpdir(), 'vertex-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'vertex.recording.jsonl');

  const first = await run(service, { calls: { recording: { file, mode: 'record' } } });
  expect(first.cases[0]?.criteria.map(({ name, score, verdict }) => [name, score, verdict])).toEqual(
    registered.map(({ name, range }) => [name, range.max, 'passed']),
  );
  const conversations = asked.filter(({ metric }) => metric !== 'coherence');
  expect(conversations.map(({ metric }) => metric)).toEqual(registered.slice(0, 3).map(({ name }) => name));
  // The two turns have the same answer, which is asked about only once.
  expect(asked.filter(({ metric }) => metric === 'coherence')).toHaveLength(1);
  const [once] = conversations;
  expect(once?.turns).toHaveLength(2);
  expect(once?.turns[0]).toMatch(/^user: Roll\.\nroller: .*"roll".*\nroller: .*"roll".*\nagent: A four\.$/);

  const again = await run(null, { calls: { recording: { file, mode: 'replay' } } });
  expect(again.problems).toEqual([]);
  expect(again.cases[0]?.criteria).toEqual(first.cases[0]?.criteria);
  expect(asked).toHaveLength(4);
  expect(new Set(again.calls.map(({ from }) => from))).toEqual(new Set(['recording']));
});
