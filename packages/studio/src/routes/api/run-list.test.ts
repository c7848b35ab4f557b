import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renameRun } from '@agent-criteria/project/runs';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../../test/folder.ts';
import { homeFiles, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { RunFilters, RunPage, RunSummary } from '../../api.ts';

const runsOf = ({ folder }: TestStudio) => join(folder, '.agent-criteria/runs');
const page = async ({ json }: TestStudio, query = '') => (await json('GET', `/api/runs${query}`)).body as RunPage;
const idsOf = async (studio: TestStudio, query = '') => (await page(studio, query)).runs.map(({ id }) => id);

async function runToEnd(studio: TestStudio, body: object = {}): Promise<string> {
  const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', ...body })).body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  return id;
}

/** Copies a run under another id, as if it had begun at another time and commit. */
function copyRun(studio: TestStudio, id: string, copy: string, facts: { readonly createdAt: number; commit?: object }) {
  cpSync(join(runsOf(studio), id), join(runsOf(studio), copy), { recursive: true });
  const file = join(runsOf(studio), copy, 'plan.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), id: copy, ...facts }));
}

const HANGING = {
  ...homeFiles,
  'echo/agent.mjs': 'export const rootAgent = () => new Promise(() => setInterval(() => {}, 1000));',
};

describe('the list of runs', () => {
  it('is searched, filtered, sorted and counted by the server', async () => {
    const studio = await studioOf();
    const one = await runToEnd(studio, { cases: ['greets'] });
    const both = await runToEnd(studio);
    const hash = 'abcdef0123456789abcdef0123456789abcdef01';
    const [old, oldest] = ['20200102-101010-aaaa', '20200101-101010-aaaa'];
    copyRun(studio, one, old, { createdAt: Date.UTC(2020, 0, 2, 10, 10, 10), commit: { hash, dirty: true } });
    copyRun(studio, one, oldest, { createdAt: Date.UTC(2020, 0, 1, 10, 10, 10) });
    renameRun(old, 'before the release', runsOf(studio));

    expect(await page(studio, '?verdict=failed')).toMatchObject({ runs: [{ id: both }], matching: 1, total: 4 });
    expect(await idsOf(studio, '?text=RELEASE+before')).toEqual([old]);
    expect(await idsOf(studio, '?text=abcdef0')).toEqual([old]);
    expect(await idsOf(studio, '?commit=ABCD')).toEqual([old]);
    expect(await idsOf(studio, `?until=${Date.UTC(2021, 0)}`)).toEqual([old, oldest]);
    expect(await idsOf(studio, '?sort=oldest')).toEqual([oldest, old, one, both]);
    expect((await idsOf(studio, '?sort=least-passed'))[0]).toBe(both);
    expect((await idsOf(studio, '?sort=longest')).slice(0, 2)).toEqual([oldest, old]);
    expect(await page(studio, '?set=home&limit=1&offset=2')).toMatchObject({ runs: [{ id: old }], matching: 4 });
    expect((await page(studio, `?ids=${old}+none+${one}`)).runs.map(({ id }) => id)).toEqual([one, old]);
    expect(await idsOf(studio, '?app=none')).toEqual([]);
    expect((await studio.json('GET', '/api/runs?verdict=great')).status).toBe(422);
    const filters = { runs: 4, sets: ['home'], agents: ['echo'], variants: [], commits: ['abcdef0'] };
    expect((await studio.json('GET', '/api/run-filters')).body).toEqual(filters satisfies RunFilters);
    expect((await studio.json('GET', '/api/run-filters?app=none')).body).toMatchObject({ runs: 0, sets: [] });
  });

  it('counts what fits only once all runs have been read, and sees changes at once that were made here', async () => {
    const studio = await studioOf();
    const id = await runToEnd(studio);
    for (const day of [1, 2, 3]) {
      copyRun(studio, id, `2020010${day}-101010-aaaa`, { createdAt: Date.UTC(2020, 0, day, 10, 10, 10) });
    }
    expect(await page(studio, '?set=home&limit=2')).toMatchObject({ matching: null, total: 4 });
    await studio.json('GET', '/api/run-filters');
    expect(await page(studio, '?set=home&limit=2')).toMatchObject({ matching: 4 });
    expect(await idsOf(studio, '?text=nightly')).toEqual([]);
    await studio.json('PATCH', `/api/runs/${id}`, { name: 'nightly' });
    expect(await idsOf(studio, '?text=nightly')).toEqual([id]);
    await studio.json('DELETE', '/api/runs/20200102-101010-aaaa');
    expect(await page(studio, '?set=home')).toMatchObject({ matching: 3, total: 3 });
  });
});

describe('renaming a run', () => {
  it('gives it a name, another one, or none', async () => {
    const studio = await studioOf();
    const id = await runToEnd(studio);
    const rename = async (name: unknown) => studio.json('PATCH', `/api/runs/${id}`, { name });
    expect(await rename('shorter prompt')).toMatchObject({ status: 200, body: { id, name: 'shorter prompt' } });
    expect((await page(studio)).runs).toMatchObject([{ name: 'shorter prompt' }]);
    expect(await rename('longer prompt')).toMatchObject({ body: { name: 'longer prompt' } });
    expect((await rename(null)).body as RunSummary).not.toHaveProperty('name');
  });

  it('refuses names that mean something else, other values, and runs that are not there', async () => {
    const studio = await studioOf();
    const id = await runToEnd(studio);
    const rename = async (name: unknown, run = id) =>
      (await studio.json('PATCH', `/api/runs/${run}`, name === undefined ? {} : { name })).status;
    for (const name of ['last', 'abc123', 'a/b', '', ' a', 'a\nb', 'x'.repeat(101)]) {
      expect(await rename(name), name).toBe(400);
    }
    for (const name of [undefined, 7, ['a'], {}]) expect(await rename(name)).toBe(422);
    for (const run of ['none', '..', '..%2Frun', `..%2Fruns%2F${id}`, '%00']) {
      expect([404, 400], run).toContain(await rename('a', run));
    }
    expect((await page(studio)).runs[0]).not.toHaveProperty('name');
  });
});

describe('deleting a run', () => {
  it('deletes its folder, after which nothing of it is served', async () => {
    const studio = await studioOf();
    const [first, second] = [await runToEnd(studio), await runToEnd(studio)];
    expect((await studio.json('GET', `/api/runs/${first}/view`)).status).toBe(200);
    expect(await studio.json('DELETE', `/api/runs/${first}`)).toEqual({ status: 200, body: null });
    expect(existsSync(join(runsOf(studio), first))).toBe(false);
    expect(await idsOf(studio)).toEqual([second]);
    for (const path of ['', '/view', '/events', '/cases']) {
      expect((await studio.json('GET', `/api/runs/${first}${path}`)).status, path).toBe(404);
    }
    expect((await studio.json('DELETE', `/api/runs/${first}`)).status).toBe(404);
  });

  it('never leaves the folder for runs, and never follows a link', async () => {
    const studio = await studioOf();
    const id = await runToEnd(studio);
    const runs = runsOf(studio);
    const elsewhere = folderOf({ 'plan.json': '{}', 'notes.txt': '' });
    symlinkSync(elsewhere, join(runs, 'link'));
    cpSync(join(runs, id), join(runs, '..', 'kept'), { recursive: true });
    mkdirSync(join(runs, 'no-run'));
    for (const run of ['..', '.', '..%2Fkept', '..%5Ckept', `x%2F..%2F${id}`, 'link', 'no-run', '%00', '']) {
      const { status } = await studio.ask(`/api/runs/${run}`, { method: 'DELETE' });
      expect(status, run).toBeGreaterThanOrEqual(400);
      expect(status, run).toBeLessThan(500);
    }
    expect(existsSync(join(elsewhere, 'plan.json'))).toBe(true);
    expect(existsSync(join(runs, '..', 'kept/plan.json'))).toBe(true);
    expect(existsSync(join(runs, 'no-run'))).toBe(true);
    expect(await idsOf(studio)).toEqual([id]);
  });

  it('is refused while the run is under way, here or in another process', async () => {
    const first = await studioOf(HANGING);
    const second = await studioOf({}, { folder: first.folder, settings: { runsFolder: runsOf(first) } });
    const { id } = (await first.json('POST', '/api/runs', { app: 'echo' })).body as { id: string };
    for (const studio of [first, second]) {
      const { status, body } = await studio.json('DELETE', `/api/runs/${id}`);
      expect([status, body]).toEqual([409, { detail: expect.stringMatching(/under way|process is writing/) }]);
    }
    expect((await page(second, '?verdict=under-way')).runs).toMatchObject([{ id, state: 'elsewhere' }]);
    expect((await page(first, '?verdict=under-way')).runs).toMatchObject([{ id, state: 'here' }]);
    await first.json('POST', `/api/runs/${id}/stop`);
    await (await first.ask(`/api/runs/${id}/events`)).text();
    expect((await page(first)).runs).toMatchObject([{ id, result: 'unfinished' }]);
    expect((await first.json('DELETE', `/api/runs/${id}`)).status).toBe(200);
  });

  it('of a run that vanished meanwhile says so, and the list goes on', async () => {
    const studio = await studioOf();
    const id = await runToEnd(studio);
    expect(await idsOf(studio, '?set=home')).toEqual([id]);
    rmSync(join(runsOf(studio), id), { recursive: true });
    expect((await studio.json('DELETE', `/api/runs/${id}`)).status).toBe(404);
    expect((await studio.json('PATCH', `/api/runs/${id}`, { name: 'a' })).status).toBe(404);
    expect(await page(studio, '?set=home')).toMatchObject({ runs: [], matching: 0, total: 0 });
  });
});
