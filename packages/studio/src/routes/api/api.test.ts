import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageIndex } from '@agent-criteria/viewer';
import { describe, expect, it } from 'vitest';
import { echoAgent, homeFiles, homeSet, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { CaseRow, CaseVersion, Page, RunPage, SetSummary } from '../../api.ts';

const read = ({ folder }: TestStudio, file = 'echo/home.evalset.json') =>
  JSON.parse(readFileSync(join(folder, file), 'utf8'));

const SETS = '/api/apps/echo/sets';

/** Sends a request with `If-Match`. */
async function change({ ask }: TestStudio, method: string, path: string, version: string, body?: object) {
  const init = { method, headers: { 'if-match': version }, ...(body && { body: JSON.stringify(body) }) };
  const answer = await ask(path, init);
  return { status: answer.status, body: (await answer.json()) as unknown };
}

describe('the studio', () => {
  it('reports its version, apps and notices', async () => {
    const { json } = await studioOf({ ...homeFiles, 'sets/only.evalset.json': homeSet });
    expect((await json('GET', '/api/studio')).body).toMatchObject({
      version: expect.stringMatching(/^\d/),
      apps: [
        { name: 'echo', hasAgent: true },
        { name: 'sets', hasAgent: false },
      ],
      notices: [],
    });
  });
});

describe('eval sets', () => {
  it('are listed with names and sizes, or with the problem if unreadable', async () => {
    const { json } = await studioOf({
      ...homeFiles,
      'echo/bad.evalset.json': '{',
      'echo/l.evalset.jsonl': '{"eval_id":"a","conversation":[{"user_content":{}}]}',
    });
    expect((await json('GET', SETS)).body).toMatchObject([
      { id: 'bad', cases: null, version: null, problem: expect.stringContaining('bad.evalset.json') },
      { id: 'home', name: 'Home', file: 'home.evalset.json', cases: 2, editable: true },
      { id: 'l.evalset.jsonl', cases: 1, editable: false },
    ]);
  });

  it('can be created, described, renamed and deleted, keeping the rest of their content', async () => {
    const studio = await studioOf();
    const { json } = studio;
    const made = await json('POST', SETS, { id: 'fresh', description: 'New.' });
    expect(made.body).toMatchObject({ id: 'fresh', name: 'fresh', description: 'New.', cases: 0 });
    expect((await json('POST', SETS, { id: '../x' })).status).toBe(400);
    const renamed = await json('PATCH', `${SETS}/home`, { id: 'house', name: 'House' }, '*');
    expect(renamed.body).toMatchObject({ id: 'house', name: 'House', file: 'house.evalset.json', cases: 2 });
    expect(existsSync(join(studio.folder, 'echo/home.evalset.json'))).toBe(false);
    expect(read(studio, 'echo/house.evalset.json')).toEqual({ ...homeSet, eval_set_id: 'house', name: 'House' });
    expect((await json('PATCH', `${SETS}/house`, { id: 'fresh' }, '*')).status).toBe(400);
    const { version = '' } = renamed.body as { version: string };
    expect(await change(studio, 'PATCH', `${SETS}/house`, '"other"', { name: 'Mine' })).toMatchObject({
      status: 412,
      body: { version, theirs: { name: 'House', cases: 2 }, yours: { name: 'Mine' } },
    });
    expect((await change(studio, 'PATCH', `${SETS}/house`, version, { name: 'Mine' })).status).toBe(200);
    expect((await change(studio, 'DELETE', `${SETS}/house`, version)).status).toBe(412);
    expect((await json('DELETE', `${SETS}/house`)).status).toBe(200);
    expect(((await json('GET', SETS)).body as SetSummary[]).map(({ id }) => id)).toEqual(['fresh']);
  });
});

describe('cases', () => {
  it('are listed in pages with names and tags, and can be searched', async () => {
    const { json } = await studioOf();
    const page = async (query: string) =>
      (await json('GET', `${SETS}/home/cases${query}`)).body as Page<{ id: string }>;
    expect(await page('')).toMatchObject({
      items: [
        { id: 'greets', name: 'A greeting', tags: ['smoke'], turns: 1, opening: 'Hi' },
        { id: 'a/b c', name: null },
      ],
      offset: 0,
      total: 2,
    });
    expect(await page('?offset=1&limit=1')).toMatchObject({ items: [{ id: 'a/b c' }], offset: 1, total: 2 });
    expect((await page('?tag=smoke')).items.map(({ id }) => id)).toEqual(['greets']);
    expect((await page('?text=GREET')).total).toBe(1);
    expect((await json('GET', `${SETS}/home/cases?limit=x`)).status).toBe(422);
  });

  it('are saved in full, and only if they have not changed since they were opened', async () => {
    const studio = await studioOf();
    const path = `${SETS}/home/cases/greets`;
    const { evalCase, version } = (await studio.json('GET', path)).body as CaseVersion;
    const { rubrics: _, ...changed } = { ...evalCase, agentCriteria: { tags: ['slow'] } };
    expect((await studio.json('PUT', path, changed)).status).toBe(428);
    const saved = await change(studio, 'PUT', path, version, changed);
    expect(saved).toMatchObject({ status: 200, body: { evalCase: { agentCriteria: { tags: ['slow'] } } } });
    expect(read(studio).eval_cases[0].rubrics).toBeUndefined();
    expect(read(studio).mine).toEqual({ kept: true });
    expect(await change(studio, 'PUT', path, version, evalCase)).toMatchObject({
      status: 412,
      body: { theirs: changed, yours: evalCase, version: (saved.body as CaseVersion).version },
    });
    const other = { ...changed, evalId: 'renamed' };
    expect((await change(studio, 'PUT', path, '*', other)).status).toBe(200);
    expect((await studio.json('POST', `${SETS}/home/cases`, evalCase)).status).toBe(200);
    expect((await studio.json('POST', `${SETS}/home/cases`, evalCase)).status).toBe(400);
    expect((await studio.json('DELETE', path)).status).toBe(428);
    expect((await studio.json('DELETE', path, undefined, '*')).status).toBe(200);
    expect(read(studio).eval_cases.map((one: { eval_id: string }) => one.eval_id)).toEqual(['renamed', 'a/b c']);
  });
});

/** Starts a run and follows it to the end. @returns its id and events. */
async function runToEnd(studio: TestStudio, body: object = {}): Promise<{ id: string; told: string[] }> {
  const started = await studio.json('POST', '/api/runs', { app: 'echo', ...body });
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  const { id } = started.body as { id: string };
  const events = await (await studio.ask(`/api/runs/${id}/events`)).text();
  return { id, told: [...events.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name) };
}

describe('runs', () => {
  it('can be started, followed and read case by case', async () => {
    const studio = await studioOf();
    const { json } = studio;
    const { id, told } = await runToEnd(studio, { sets: ['home'], repeats: 2 });
    expect(told[0]).toBe('run-started');
    expect(told.slice(-2)).toEqual(['run-finished', 'end']);
    expect(told.filter((name) => name === 'case-finished')).toHaveLength(2);
    const detail = await json('GET', `/api/runs/${id}`);
    expect(detail.body).toMatchObject({
      info: { id, repeats: 2 },
      summary: { total: 2, verdicts: { passed: 1, failed: 1 } },
      state: 'finished',
      sets: [
        {
          id: 'home',
          criteria: expect.arrayContaining([expect.objectContaining({ name: 'response_match_score', threshold: 0.8 })]),
        },
      ],
    });
    const rows = async (query = '') => (await json('GET', `/api/runs/${id}/cases${query}`)).body as Page<CaseRow>;
    expect(await rows()).toMatchObject({
      items: [
        { caseId: 'greets', verdict: 'passed', repeats: 2, tags: ['smoke'] },
        { caseId: 'a/b c', verdict: 'failed', reason: expect.any(String) },
      ],
      total: 2,
    });
    expect(JSON.stringify(await rows())).not.toContain('userContent');
    expect((await rows('?verdict=failed')).items.map(({ caseId }) => caseId)).toEqual(['a/b c']);
    expect((await rows('?criterion=tool_trajectory_avg_score&verdict=passed')).total).toBe(2);
    expect((await rows('?verdict=failed,error&text=greet')).total).toBe(0);
    expect((await rows('?limit=1&offset=1')).items).toHaveLength(1);
    const one = await json('GET', `/api/runs/${id}/sets/home/cases/a%2Fb%20c`);
    expect(one.body).toMatchObject({
      evalCase: { evalId: 'a/b c' },
      result: { verdict: 'failed' },
      inferences: [{}, {}],
    });
    expect((await json('GET', `/api/runs/${id}/sets/home/cases/none`)).status).toBe(404);
    // Reruns only the failed cases.
    const again = await runToEnd(studio, {
      failedIn: id,
      metrics: [{ metricName: 'response_match_score', threshold: 0 }],
      sets: ['home'],
    });
    expect((await json('GET', `/api/runs/${again.id}`)).body).toMatchObject({
      summary: { total: 1, verdicts: { passed: 1 } },
    });
  });

  it('are listed in pages of summaries, newest first', async () => {
    const studio = await studioOf({ ...homeFiles, 'other/agent.mjs': echoAgent, 'other/o.evalset.json': homeSet });
    const first = await runToEnd(studio, { cases: ['greets'] });
    const second = await runToEnd(studio, { app: 'other', judged: false });
    const ids = [second.id, first.id];
    const page = async (query: string) => (await studio.json('GET', `/api/runs${query}`)).body as RunPage;
    const all = await page('');
    expect(all.runs.map(({ id }) => id)).toEqual(ids);
    expect(all).toMatchObject({ offset: 0, matching: 2, total: 2 });
    expect(all.runs).toContainEqual(
      expect.objectContaining({ id: first.id, app: 'echo', state: 'finished', sets: ['home'] }),
    );
    expect(all.runs).toContainEqual(expect.objectContaining({ id: second.id, app: 'other', summary: null }));
    const newest = await page('?limit=1');
    expect(newest).toMatchObject({ runs: [{ id: ids[0] }], matching: 2 });
    expect(await page('?limit=1&offset=1')).toMatchObject({ runs: [{ id: ids[1] }], offset: 1 });
    expect((await page('?app=echo')).runs.map(({ id }) => id)).toEqual([first.id]);
  });

  it('can be cancelled, drained and resumed', async () => {
    const slow = `import { existsSync } from 'node:fs';
      const gate = new URL('./gate', import.meta.url);
      export const rootAgent = async (message) => {
        while (!existsSync(gate)) await new Promise((done) => setTimeout(done, 5));
        return 'You said: ' + message;
      };`;
    const evalCases = Array.from({ length: 8 }, (_, index) => ({ ...homeSet.eval_cases[1], eval_id: `c${index}` }));
    const set = { eval_set_id: 'many', eval_cases: evalCases };
    const config = { concurrency: { agents: 1 } };
    const files = { 'echo/agent.mjs': slow, 'echo/many.evalset.json': set, 'echo/agent-criteria.config.json': config };
    const studio = await studioOf(files);
    const { body } = await studio.json('POST', '/api/runs', { app: 'echo' });
    const { id } = body as { id: string };
    expect((await studio.json('GET', `/api/runs/${id}`)).body).toMatchObject({ state: 'here' });
    expect((await studio.json('POST', `/api/runs/${id}/resume`)).status).toBe(409);
    const told = studio.ask(`/api/runs/${id}/events`).then((answer) => answer.text());
    expect((await studio.json('POST', `/api/runs/${id}/cancel`)).status).toBe(200);
    const drained = studio.drain();
    writeFileSync(join(studio.folder, 'echo/gate'), '');
    expect(await drained).toEqual([expect.stringContaining(id)]);
    expect(await told).toContain('event: end');
    expect((await studio.json('GET', `/api/runs/${id}`)).body).toMatchObject({ state: 'open' });
    expect((await studio.json('POST', `/api/runs/${id}/resume`)).body).toEqual({ id });
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    expect((await studio.json('GET', `/api/runs/${id}`)).body).toMatchObject({
      state: 'finished',
      summary: { total: 8 },
    });
    expect(await studio.drain()).toEqual([]);
  });

  it('have no verdict while in flight, send their changed rows, and can be stopped at once', async () => {
    const hanging = `export const rootAgent = (message) =>
      message === 'Bye' ? new Promise(() => setInterval(() => {}, 1000)) : 'You said: ' + message;`;
    const studio = await studioOf({
      ...homeFiles,
      'echo/agent.mjs': hanging,
      'echo/test_config.json': { criteria: { tool_trajectory_avg_score: 0 } },
    });
    const { id } = (await studio.json('POST', '/api/runs', { app: 'echo' })).body as { id: string };
    const view = async () => (await studio.json('GET', `/api/runs/${id}/view`)).body as PageIndex;
    await expect.poll(async () => (await view()).cases.map(({ verdict }) => verdict)).toEqual(['passed', 'running']);
    const { progress, outcome } = await view();
    expect(outcome).toBeUndefined();
    expect(progress).toMatchObject({ done: 1, total: 2, running: 1, turnTimeout: 300_000 });
    // A page that was read before this version gets the rows that have changed since; another one gets none.
    const changes = (after: number) => studio.ask(`/api/runs/${id}/changes?after=${after}`).then((told) => told.text());
    const [all, later] = [changes(0), changes(progress?.version ?? 0)];
    expect((await studio.json('POST', `/api/runs/${id}/cancel`)).status).toBe(200);
    expect((await view()).progress).toMatchObject({ cancelled: 'finishing', running: 1 });
    expect((await studio.json('POST', `/api/runs/${id}/stop`)).status).toBe(200);
    expect(await all).toMatch(/"caseId":"greets","row":\{"verdict":"passed"[\s\S]*event: end/);
    expect(await later).not.toContain('greets');
    expect((await studio.json('GET', `/api/runs/${id}`)).body).toMatchObject({ state: 'open' });
    expect((await view()).progress).toBeUndefined();
    expect((await studio.json('POST', '/api/runs/none/stop')).status).toBe(404);
  });

  it('can be followed but not changed by a second studio', async () => {
    const slow = `import { existsSync } from 'node:fs';
      const gate = new URL('./gate', import.meta.url);
      export const rootAgent = async () => {
        while (!existsSync(gate)) await new Promise((done) => setTimeout(done, 5));
        return 'Hello';
      };`;
    const first = await studioOf({ ...homeFiles, 'echo/agent.mjs': slow });
    const { folder } = first;
    const second = await studioOf({}, { folder, settings: { runsFolder: join(folder, '.agent-criteria/runs') } });
    const { id } = (await first.json('POST', '/api/runs', { app: 'echo' })).body as { id: string };
    await expect
      .poll(async () => (await second.json('GET', `/api/runs/${id}`)).body)
      .toMatchObject({ state: 'elsewhere' });
    expect((await second.json('POST', `/api/runs/${id}/resume`)).status).toBe(409);
    expect((await second.json('POST', `/api/runs/${id}/cancel`)).status).toBe(404);
    const told = second.ask(`/api/runs/${id}/events`).then((answer) => answer.text());
    writeFileSync(join(folder, 'echo/gate'), '');
    expect(await told).toMatch(/event: units\ndata: \{"total":2,"finished":2\}[\s\S]*event: end/);
    expect((await second.json('GET', `/api/runs/${id}`)).body).toMatchObject({ state: 'finished' });
  });

  it('are rejected with reasons', async () => {
    const { json } = await studioOf({ ...homeFiles, 'sets/only.evalset.json': homeSet });
    const start = (body: object) => json('POST', '/api/runs', body);
    expect((await start({ app: 'none' })).status).toBe(404);
    expect((await start({ app: 'sets' })).status).toBe(400);
    expect((await start({ app: 'echo', sets: ['none'] })).status).toBe(404);
    expect((await start({ app: 'echo', repeats: 0 })).status).toBe(422);
    expect((await start({ app: 'echo', failedIn: '../../x' })).status).toBe(404);
    expect((await start({ app: 'echo', tags: ['none'] })).status).toBe(404);
    for (const path of ['cancel', 'resume']) expect((await json('POST', `/api/runs/none/${path}`)).status).toBe(404);
    expect((await json('GET', '/api/runs/none/events')).status).toBe(404);
  });

  it("appear in ADK's history with their conversations", async () => {
    const studio = await studioOf();
    const { id } = await runToEnd(studio);
    const [result = ''] = (await studio.json('GET', '/dev/apps/echo/eval_results')).body as string[];
    expect(existsSync(join(studio.folder, `echo/.adk/eval_history/${result}.evalset_result.json`))).toBe(true);
    const { body } = await studio.json('GET', `/dev/apps/echo/eval_results/${result}`);
    const { evalCaseResults } = body as { evalCaseResults: { evalId: string; sessionId: string; userId: string }[] };
    expect(evalCaseResults.map(({ evalId }) => evalId)).toEqual(['greets', 'a/b c']);
    for (const { sessionId, userId } of evalCaseResults) {
      const session = await studio.json('GET', `/apps/echo/users/${userId}/sessions/${sessionId}`);
      expect(session.body).toMatchObject({ id: sessionId, events: expect.arrayContaining([expect.any(Object)]) });
    }
    // An unjudged run has no results.
    await runToEnd(studio, { judged: false });
    expect((await studio.json('GET', '/dev/apps/echo/eval_results')).body).toEqual([result]);
    expect(id).not.toBe('');
  });

  it('are never read from outside the run folder', async () => {
    const studio = await studioOf();
    const { id } = await runToEnd(studio);
    const runs = join(studio.folder, '.agent-criteria/runs');
    mkdirSync(join(studio.folder, 'outside'));
    writeFileSync(join(studio.folder, 'outside/plan.json'), readFileSync(join(runs, id, 'plan.json')));
    symlinkSync(join(studio.folder, 'outside'), join(runs, 'linked'));
    for (const name of [
      'linked',
      '..%2f..%2foutside',
      '%2e%2e',
      'last',
      encodeURIComponent(join(runs, id)),
      `${id}%00`,
    ]) {
      expect((await studio.json('GET', `/api/runs/${name}`)).status, name).toBe(404);
    }
  });
});
