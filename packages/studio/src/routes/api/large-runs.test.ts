// Isolated: it replaces file-reading functions before other modules load them.
// Long: writes and reads large runs.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { allRuns } from '../../../../../test/runs.ts';
import { echoAgent, studioOf } from '../../__fixtures__/running-studio.ts';
import type { CaseRow, Page, RunPage } from '../../api.ts';

// The full size is tested only in `.ci/run`, as with property tests.
const CASES = allRuns ? 10_000 : 1_500;
const RUNS = allRuns ? 1_000 : 200;

const manyCases = {
  eval_set_id: 'many',
  eval_cases: Array.from({ length: CASES }, (_, index) => ({
    eval_id: `case ${index}`,
    conversation: [{ user_content: { parts: [{ text: `${index}` }] } }],
  })),
};

/**
 * Counts bytes read, and files read whole, since the last call. The functions must be replaced before the runner loads,
 * because it keeps the ones that it finds then.
 */
const reading = vi.hoisted(() => {
  const fs = process.getBuiltinModule('node:fs');
  const { readSync, readFileSync } = fs;
  const counts = { bytes: 0, files: 0 };
  Object.assign(fs, {
    readSync: (...parameters: Parameters<typeof readSync>) => {
      const read = readSync(...parameters);
      counts.bytes += read;
      return read;
    },
    readFileSync: (...parameters: Parameters<typeof readFileSync>) => {
      counts.files += 1;
      return readFileSync(...parameters);
    },
  });
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
  return {
    next() {
      const before = { ...counts };
      Object.assign(counts, { bytes: 0, files: 0 });
      return before;
    },
  };
});

describe(`a run of ${CASES} cases`, () => {
  it('is read only once for all pages of its grid', async () => {
    const studio = await studioOf({
      'echo/agent.mjs': echoAgent,
      'echo/many.evalset.json': manyCases,
      'echo/test_config.json': { criteria: { tool_trajectory_avg_score: 1 } },
    });
    const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', judged: true })).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    const folder = join(studio.folder, '.agent-criteria/runs', id);
    const sizeOf = (file: string) => fs.statSync(join(folder, file)).size;
    const [inferences, scores] = [sizeOf('inferences.jsonl'), sizeOf('scorings/1/scores.jsonl')];
    const page = async (query: string) =>
      (await studio.json('GET', `/api/runs/${id}/cases?${query}`)).body as Page<CaseRow>;
    reading.next();
    const first = await page('limit=50');
    expect(first).toMatchObject({ total: CASES, offset: 0 });
    expect(first.items).toHaveLength(50);
    // Building the index reads both files once; after that, a row needs only its own line of scores.
    const { bytes } = reading.next();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(inferences + 2 * scores);
    const [before] = [process.memoryUsage().heapUsed];
    for (let offset = 50; offset < CASES / 5; offset += 50) {
      expect((await page(`offset=${offset}&limit=50`)).items[0]?.caseId).toBe(`case ${offset}`);
    }
    expect((await page(`text=case%20${CASES - 1}`)).total).toBe(1);
    expect(reading.next().bytes).toBe(0);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
    // The run's page, shown before a case is opened, is also read only once; it contains truncated first messages and
    // answers.
    const view = await (await studio.ask(`/api/runs/${id}/view`)).text();
    expect(reading.next().bytes).toBeLessThanOrEqual(2 * (inferences + scores));
    expect(view.length).toBeLessThan(330 * CASES);
    expect((await (await studio.ask(`/api/runs/${id}/view`)).text()).length).toBe(view.length);
    expect(reading.next().bytes).toBe(0);
    // Opening a case reads only its own lines.
    const one = await studio.json('GET', `/api/runs/${id}/sets/many/cases/case%207`);
    expect(one.body).toMatchObject({ evalCase: { evalId: 'case 7' }, inferences: [{}] });
    expect(reading.next().bytes).toBeLessThan(10_000);
  });
});

describe(`a folder of ${RUNS} runs`, () => {
  it('is listed in pages, each of which reads only the files of its own runs', async () => {
    const studio = await studioOf();
    const { id } = (await studio.json('POST', '/api/runs', { app: 'echo' })).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    const runs = join(studio.folder, '.agent-criteria/runs');
    for (let copy = 0; copy < RUNS; copy += 1) {
      const own = `2020-01-01T00-00-00-${String(copy).padStart(4, '0')}`;
      fs.cpSync(join(runs, id), join(runs, own), { recursive: true });
      const plan = join(runs, own, 'plan.json');
      fs.writeFileSync(plan, fs.readFileSync(plan, 'utf8').replaceAll(id, own));
    }
    reading.next();
    const page = async (query: string) => (await studio.json('GET', `/api/runs?limit=20${query}`)).body as RunPage;
    const first = await page('');
    expect(first.total).toBe(RUNS + 1);
    expect(first.runs[0]).toMatchObject({ id, summary: { total: 2 } });
    const second = await page('&offset=20');
    expect(second.runs).toHaveLength(20);
    expect(new Set([...first.runs, ...second.runs].map((run) => run.id)).size).toBe(40);
    // The agent's module is read once for each page, to compare it with the code of the runs.
    const bytes = 2 * fs.statSync(join(studio.folder, 'echo/agent.mjs')).size;
    expect(reading.next()).toEqual({ bytes, files: expect.any(Number) });
    // A run is not read again before it changes: only the list of its files, and the agent's module.
    await page('');
    expect(reading.next().files).toBeLessThanOrEqual(20 + 1);
    // Only the hundred most recent runs are considered.
    await studio.json('GET', '/api/last-runs');
    expect(reading.next()).toEqual({ bytes: 0, files: expect.toSatisfy((files: number) => files <= 100 * 5) });
  });
});
