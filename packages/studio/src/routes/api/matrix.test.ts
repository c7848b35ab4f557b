import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { expect, it } from 'vitest';
import { writeFiles } from '../../../../../test/folder.ts';
import { studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { RunColumns } from '../../api.ts';

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const setOf = (id: string, ...cases: readonly string[]) => ({
  eval_set_id: id,
  eval_cases: cases.map((one) => ({ eval_id: one, conversation: [turn(one)] })),
});
const agent = (answer: string) => `export const rootAgent = (text) => ${answer};`;
const files = {
  'echo/agent.mjs': agent('text'),
  'echo/home.evalset.json': setOf('home', 'one', 'two'),
  'echo/other.evalset.json': setOf('other', 'three'),
  'echo/test_config.json': { criteria: { response_match_score: 0.5 } },
  'wrong/agent.mjs': agent(`'nothing like ' + 'it '.repeat(200)`),
};

async function run(studio: TestStudio, body: object): Promise<string> {
  const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', ...body })).body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  return id;
}

const columns = async (studio: TestStudio, id: string, query = '') =>
  (await studio.json('GET', `/api/runs/${id}/columns${query}`)).body as RunColumns;

it('a run of several variants has the verdict, scores and answer of each case by each variant', async () => {
  const studio = await studioOf(files, { builtIn: { plugins: [responseMatch] } });
  const variants = [
    { name: 'right', app: 'echo' },
    { name: 'wrong', app: 'wrong' },
  ];
  const id = await run(studio, { sets: ['home'], variants });
  const found = await columns(studio, id, '?answers=true');
  expect(found).toMatchObject({ run: id, variants: ['right', 'wrong'], sets: ['home'] });
  const match = found.criteria.findIndex(({ name }) => name === 'response_match_score');
  const shown = found.cases.map(({ id: of, variant, verdict, answer = '', scores }) => [
    of,
    variant,
    verdict,
    answer.slice(0, 12),
    scores[match],
  ]);
  expect(shown.sort()).toEqual([
    ['one', 0, 'passed', 'one', ['passed', 1]],
    ['one', 1, 'failed', 'nothing like', ['failed', 0]],
    ['two', 0, 'passed', 'two', ['passed', 1]],
    ['two', 1, 'failed', 'nothing like', ['failed', 0]],
  ]);
  expect(found.cases.find(({ verdict }) => verdict === 'failed')?.answer).toHaveLength(401);
});

it('answers are read only on request, and differ if a part that is not shown differs', async () => {
  const studio = await studioOf(files, { builtIn: { plugins: [responseMatch] } });
  const long = (end: string) => agent(`'x'.repeat(1000) + '${end}'`);
  writeFiles(studio.folder, { 'wrong/agent.mjs': long('a') });
  const first = await run(studio, { sets: ['home'], agent: 'wrong' });
  expect((await columns(studio, first)).cases[0]).not.toHaveProperty('answer');
  writeFiles(studio.folder, { 'right/agent.mjs': long('b') });
  const again = await studioOf({}, { folder: studio.folder, builtIn: { plugins: [responseMatch] } });
  const second = await run(again, { sets: ['home'], agent: 'right' });
  const [one, other] = [await columns(again, first, '?answers=true'), await columns(again, second, '?answers=true')];
  expect(one.cases[0]?.answer).toBe(other.cases[0]?.answer);
  expect(one.cases[0]?.answers).not.toBe(other.cases[0]?.answers);
});

it('lists the newest runs of the same sets, without those of chosen cases', async () => {
  const studio = await studioOf(files, { builtIn: { plugins: [responseMatch] } });
  const first = await run(studio, { sets: ['home'] });
  await run(studio, { sets: ['other'] });
  await run(studio, { sets: ['home'], cases: ['one'] });
  const last = await run(studio, { sets: ['home'] });
  const same = async (id: string, limit = 10) =>
    (await studio.json('GET', `/api/runs/${id}/same-sets?limit=${limit}`)).body;
  expect(await same(last)).toEqual([last, first]);
  expect(await same(first, 1)).toEqual([first]);
  expect((await studio.json('GET', '/api/runs/none/same-sets')).status).toBe(404);
  expect((await studio.json('GET', '/api/runs/..%2Fx/columns')).status).toBe(404);
});
