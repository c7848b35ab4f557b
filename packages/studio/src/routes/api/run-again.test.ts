import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { echoAgent, homeFiles, homeSet, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { RunAgain, RunDetail, RunEstimate, RunPage } from '../../api.ts';

const metrics = [{ metricName: 'response_match_score', threshold: 0.3, criterion: {} }];

async function ended(studio: TestStudio, path: string, body: object): Promise<RunDetail> {
  const started = await studio.json('POST', path, body);
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  const { id } = started.body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  return (await studio.json('GET', `/api/runs/${id}`)).body as RunDetail;
}

const again = (studio: TestStudio, { info }: RunDetail, body: RunAgain = {}) =>
  ended(studio, `/api/runs/${info.id}/again`, body);

async function rowsOf(studio: TestStudio, { info }: RunDetail): Promise<readonly string[]> {
  const { body } = await studio.json('GET', `/api/runs/${info.id}/cases`);
  const { items } = body as { items: readonly { setId: string; caseId: string; variant?: string }[] };
  return items.map(({ setId, caseId, variant }) =>
    [setId, caseId, ...(variant === undefined ? [] : [variant])].join(' '),
  );
}

describe('a run of the studio that runs again', () => {
  it('keeps the cases, repeats, criteria and thresholds that were chosen for it', async () => {
    const studio = await studioOf();
    const first = await ended(studio, '/api/runs', {
      app: 'echo',
      sets: ['home'],
      cases: ['a/b c'],
      repeats: 2,
      metrics,
    });
    const second = await again(studio, first);
    expect(second.info).toMatchObject({ repeats: 2, selection: { of: 2 } });
    expect(second.info.id).not.toBe(first.info.id);
    expect(second.sets[0]?.criteria).toEqual(first.sets[0]?.criteria);
    expect(await rowsOf(studio, second)).toEqual(['home a/b c']);
    expect(second.app).toBe('echo');
  });

  it('runs agents and cases as they are now, and cases that were added if it ran the whole set', async () => {
    const studio = await studioOf();
    const first = await ended(studio, '/api/runs', { app: 'echo', sets: ['home'], metrics });
    expect(first.summary.verdicts).toMatchObject({ passed: 1, failed: 1 });
    const file = join(studio.folder, 'echo/home.evalset.json');
    const set = JSON.parse(readFileSync(file, 'utf8'));
    set.eval_cases[1].conversation[0].final_response.parts[0].text = 'You said: Bye';
    set.eval_cases.push({ ...set.eval_cases[0], eval_id: 'new' });
    writeFileSync(file, JSON.stringify(set));
    const second = await again(studio, first);
    expect(second.summary).toMatchObject({ total: 3, verdicts: { passed: 3 } });
  });

  it('runs only the cases that did not pass, or one case as often as asked', async () => {
    const studio = await studioOf();
    const first = await ended(studio, '/api/runs', { app: 'echo', sets: ['home'], metrics });
    const failed = await again(studio, first, { scope: 'failed' });
    expect(await rowsOf(studio, failed)).toEqual(['home a/b c']);
    const one = await again(studio, first, { only: { set: 'home', case: 'greets' }, repeats: 3 });
    expect(await rowsOf(studio, one)).toEqual(['home greets']);
    expect(one.info).toMatchObject({ repeats: 3, units: { total: 3 } });
    // The run of one case runs again as it was.
    expect((await again(studio, one)).info).toMatchObject({ repeats: 3, units: { total: 3 } });
    const passed = await again(studio, one);
    const refused = await studio.json('POST', `/api/runs/${passed.info.id}/again`, { scope: 'failed' });
    expect(refused).toMatchObject({ status: 404, body: { detail: expect.stringMatching(/nothing to run again/) } });
  });

  it('keeps variants and the config beside each set, and tells cases apart that share an id', async () => {
    const studio = await studioOf({
      ...homeFiles,
      'echo/other.evalset.json': { ...homeSet, eval_set_id: 'other' },
      'echo/test_config.json': { criteria: { response_match_score: 0.3 } },
      'loud/agent.mjs': `export const shouting = (message) => 'YOU SAID: ' + message.toUpperCase();\n${echoAgent}`,
    });
    const variants = [
      { name: 'now', app: 'echo' },
      { name: 'loud', app: 'loud', agentName: 'shouting' },
    ];
    const first = await ended(studio, '/api/runs', { app: 'echo', variants });
    // "greets" of one set and "a/b c" of the other would be four results for each agent if ids alone chose cases.
    const failed = await again(studio, first, { scope: 'failed' });
    expect(failed.info.variants?.map(({ name }) => name)).toEqual(['now', 'loud']);
    // The run is in the history of both agents, and can be run again from either.
    expect(failed.app).toBe('echo');
    for (const app of ['echo', 'loud']) {
      const { body } = await studio.json('GET', `/api/runs?app=${app}`);
      expect((body as RunPage).runs.map(({ id }) => id)).toContain(failed.info.id);
    }
    expect(await rowsOf(studio, failed)).toEqual(
      ['home', 'other'].flatMap((set) => ['now', 'loud'].map((name) => `${set} a/b c ${name}`)),
    );
    expect(await rowsOf(studio, await again(studio, failed))).toEqual(await rowsOf(studio, failed));
    const one = await again(studio, first, { only: { set: 'other', case: 'greets' } });
    expect(await rowsOf(studio, one)).toEqual(['other greets now', 'other greets loud']);
    // Only one of two sets that share ids has the case.
    const file = join(studio.folder, 'echo/home.evalset.json');
    writeFileSync(file, JSON.stringify({ ...homeSet, eval_cases: homeSet.eval_cases.slice(0, 1) }));
    const part = await again(studio, first, { scope: 'failed' });
    expect(await rowsOf(studio, part)).toEqual(['other a/b c now', 'other a/b c loud']);
  });

  it('estimates the calls that it would make', async () => {
    const studio = await studioOf();
    const first = await ended(studio, '/api/runs', { app: 'echo', sets: ['home'], metrics, repeats: 2 });
    const { body } = await studio.json('POST', `/api/runs/${first.info.id}/again/estimate`, { scope: 'failed' });
    expect(body as RunEstimate).toMatchObject({ cases: 1, repeats: 2, total: { calls: { min: 0, max: 0 } } });
  });

  it('is refused with a reason if it is not known, malformed, or of an agent elsewhere', async () => {
    const studio = await studioOf();
    const first = await ended(studio, '/api/runs', { app: 'echo', sets: ['home'], metrics });
    const send = async (id: string, body: unknown) => {
      const { status, body: answer } = await studio.json('POST', `/api/runs/${id}/again`, body);
      return [status, JSON.stringify(answer)];
    };
    const { id } = first.info;
    for (const [body, status, reason] of [
      [{ scope: 'some' }, 422, /all/],
      [{ repeats: 0 }, 422, /repeats/],
      [{ repeats: 'auto' }, 422, /number/],
      [{ only: 'greets' }, 422, /case/],
      [{ only: { set: 'home', case: 'greets' }, scope: 'failed' }, 422, /scope/],
      [{ maxCalls: 1 }, 422, /maxCalls/],
      [{ only: { set: '../home', case: 'greets' } }, 404, /no eval set/],
      [{ only: { set: 'home', case: 'none' } }, 404, /no eval set has a case/],
    ] as const) {
      expect(await send(id, body), JSON.stringify(body)).toEqual([status, expect.stringMatching(reason)]);
    }
    expect((await send('none', {}))[0]).toBe(404);
    const plan = join(studio.folder, '.agent-criteria/runs', id, 'plan.json');
    const written = JSON.parse(readFileSync(plan, 'utf8'));
    writeFileSync(plan, JSON.stringify({ ...written, agent: { ...written.agent, path: '/elsewhere/agent.mjs' } }));
    expect(await send(id, {})).toEqual([400, expect.stringMatching(/not one of this studio/)]);
  });
});
