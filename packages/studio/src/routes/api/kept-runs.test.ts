import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeSet, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';

/** An agent that answers only once its gate file exists. */
const tracedAgent = `import { existsSync } from 'node:fs';
const gate = new URL('./gate', import.meta.url);
let opened = 0;
export const rootAgent = {
  name: 'traced',
  async open() {
    opened += 1;
    return {
      id: 'session-' + opened,
      async send(content) {
        while (!existsSync(gate)) await new Promise((done) => setTimeout(done, 5));
        const [{ text }] = content.parts;
        const step = (id, kind, name, more) => ({ id, kind, name, author: 'traced', turn: 0, startedAt: 1000, endedAt: 1040, ...more });
        return {
          invocation: { userContent: content, finalResponse: { role: 'model', parts: [{ text: 'You said: ' + text }] } },
          trace: [
            step('a', 'agent', 'traced'),
            step('m', 'model', 'scripted', { parentId: 'a', request: { asked: text }, response: { said: 'call' }, usage: { promptTokenCount: 12, candidatesTokenCount: 3 } }),
            step('t', 'tool', 'look_up', { parentId: 'a', request: { text }, response: { found: 1 } }),
          ],
        };
      },
      state: async () => ({}),
      close: async () => {},
    };
  },
};
`;

const cases = Array.from({ length: 6 }, (_, index) => ({ ...homeSet.eval_cases[1], eval_id: `c${index}` }));
const files = {
  'traced/agent.mjs': tracedAgent,
  'traced/many.evalset.json': { eval_set_id: 'many', eval_cases: cases },
  'traced/test_config.json': { criteria: { response_match_score: 0 } },
  'traced/agent-criteria.config.json': { concurrency: { agents: 1 } },
};

const openGate = ({ folder }: TestStudio) => writeFileSync(join(folder, 'traced/gate'), '');

async function start({ json }: TestStudio, more: object = {}): Promise<string> {
  const { status, body } = await json('POST', '/api/runs', { app: 'traced', ...more });
  expect([status, body]).toEqual([200, { id: expect.any(String) }]);
  return (body as { id: string }).id;
}

const toEnd = async ({ ask }: TestStudio, id: string) => (await ask(`/api/runs/${id}/events`)).text();

interface Kept {
  readonly evalCaseResults: readonly { readonly evalId: string; readonly sessionId: string }[];
}

async function resultsOf({ json }: TestStudio): Promise<readonly Kept[]> {
  const ids = (await json('GET', '/dev/apps/traced/eval_results')).body as string[];
  const all = ids.map(async (id) => (await json('GET', `/dev/apps/traced/eval_results/${id}`)).body as Kept);
  return Promise.all(all);
}

it("a run's trace is available in the case, on the page and in ADK's sessions", async () => {
  const studio = await studioOf(files);
  openGate(studio);
  const id = await start(studio, { cases: ['c1'] });
  await toEnd(studio, id);
  const names = ['traced', 'scripted', 'look_up'];
  const { body: one } = await studio.json('GET', `/api/runs/${id}/sets/many/cases/c1`);
  expect(one).toMatchObject({ inferences: [{ inference: { trace: names.map((name) => ({ name })) } }] });
  const { body: page } = await studio.json('GET', `/api/runs/${id}/view/many/c1`);
  expect(JSON.stringify(page)).toContain('"look_up"');
  const [kept] = await resultsOf(studio);
  const session = kept?.evalCaseResults[0]?.sessionId ?? '';
  const { body: spans } = await studio.json('GET', `/dev/apps/traced/debug/trace/session/${session}`);
  const told = spans as { name: string; span_id: string; parent_span_id: string | null; attributes: object }[];
  const named = (name: string) => told.find((span) => span.name === name);
  const agent = named('invoke_agent traced');
  expect(named('generate_content scripted')).toMatchObject({
    parent_span_id: agent?.span_id,
    attributes: { 'gcp.vertex.agent.llm_request': '{"asked":"Bye"}', 'gen_ai.usage.input_tokens': 12 },
  });
  expect(named('execute_tool look_up')).toMatchObject({
    parent_span_id: agent?.span_id,
    attributes: { 'gcp.vertex.agent.tool_response': '{"found":1}' },
  });
});

it('a cancelled run that is resumed stores the results of both parts', async () => {
  const studio = await studioOf(files);
  const id = await start(studio);
  const told = toEnd(studio, id);
  expect((await studio.json('POST', `/api/runs/${id}/cancel`)).status).toBe(200);
  const drained = studio.drain();
  openGate(studio);
  await Promise.all([told, drained]);
  const before = await studio.json('GET', `/api/runs/${id}`);
  expect(before.body).toMatchObject({ state: 'open', info: { units: { total: 6 } } });
  const { finished } = (before.body as { info: { units: { finished: number } } }).info.units;
  expect(finished).toBeGreaterThan(0);
  expect(finished).toBeLessThan(6);
  // An unfinished run has no results.
  expect(await resultsOf(studio)).toEqual([]);
  const first = await studio.json('GET', `/api/runs/${id}/sets/many/cases/c0`);

  expect((await studio.json('POST', `/api/runs/${id}/resume`)).body).toEqual({ id });
  const events = await toEnd(studio, id);
  expect([...events.matchAll(/^event: unit-finished$/gm)].length).toBeLessThanOrEqual(6 - finished);
  expect((await studio.json('GET', `/api/runs/${id}`)).body).toMatchObject({
    state: 'finished',
    summary: { total: 6, exitCode: 0 },
  });
  const results = await resultsOf(studio);
  expect(results.map(({ evalCaseResults }) => evalCaseResults.map(({ evalId }) => evalId))).toEqual([
    cases.map(({ eval_id }) => eval_id),
  ]);
  // Finished units are not rerun, so the session is the same.
  const again = await studio.json('GET', `/api/runs/${id}/sets/many/cases/c0`);
  const sessionOf = ({ body }: { readonly body: unknown }) =>
    (body as { inferences: { inference: { sessionId: string } }[] }).inferences[0]?.inference.sessionId;
  expect(sessionOf(again)).toBe(sessionOf(first));
  expect(results[0]?.evalCaseResults[0]?.sessionId).toBe(sessionOf(first));
  // Cancelling a finished run does nothing.
  expect((await studio.json('POST', `/api/runs/${id}/cancel`)).status).toBe(200);
  expect((await studio.json('GET', `/api/runs/${id}`)).body).toMatchObject({ state: 'finished' });
});
