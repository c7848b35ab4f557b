import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeNoise, noiseFile } from '@agent-criteria/analysis';
import { defineCriterion, noOptions } from '@agent-criteria/core';
import { findRun, outcomesOf } from '@agent-criteria/project/runs';
import { openRun } from '@agent-criteria/runner';
import { expect, it } from 'vitest';
import { echoAgent, homeFiles, homeSet, studioOf } from '../../__fixtures__/running-studio.ts';
import type { RunDetail } from '../../api.ts';

/** A judge-based criterion that makes no calls. */
const polite = defineCriterion({
  name: 'polite',
  origin: { package: 'test', version: '1.0.0' },
  description: 'The answer is polite.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({
    value: 1,
    evidence: [
      {
        kind: 'opinions',
        prompt: 'polite/1',
        questions: [{ id: 'polite' }],
        samples: [{ sample: 0, model: 'm', from: 'live', opinions: [{ question: 'polite', label: 'yes' }] }],
      },
    ],
  }),
});
Object.assign(globalThis, { [Symbol.for('agent-criteria/studio/judge')]: polite });

it('a run names its app and editable sets, and returns recorded turns in the format of expected turns', async () => {
  const studio = await studioOf({
    // Another agent's set, with the same name.
    'another/agent.mjs': echoAgent,
    'another/home.evalset.json': homeSet,
    ...homeFiles,
  });
  const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', sets: ['home'] })).body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  const detail = async () => (await studio.json('GET', `/api/runs/${id}`)).body as RunDetail;
  expect(await detail()).toMatchObject({ app: 'echo', places: [{ runSet: 'home', app: 'echo', set: 'home' }] });

  const reference = (query: string) =>
    studio.json('GET', `/api/runs/${id}/view/home/${encodeURIComponent('a/b c')}/reference?${query}`);
  expect((await reference('repeat=0')).body).toMatchObject([
    {
      userContent: { parts: [{ text: 'Bye' }] },
      finalResponse: { parts: [{ text: 'You said: Bye' }] },
      intermediateData: { toolUses: [{ name: 'look_up', args: { text: 'Bye' } }] },
    },
  ]);
  expect(await reference('repeat=1')).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('repeat 2') },
  });
  expect((await reference('repeat=x')).status).toBe(422);

  // Once its file is gone, a set cannot be edited here, even if another app has a set of the same name.
  renameSync(join(studio.folder, 'echo/home.evalset.json'), join(studio.folder, 'echo/moved.evalset.json'));
  expect((await detail()).places).toEqual([]);
});

it("a run's page shows the current statistics of its judges", async () => {
  const studio = await studioOf({
    ...homeFiles,
    'echo/test_config.json': { criteria: { polite: 0.5 } },
    'echo/judges.json': { kind: 'agent-criteria measurements', format: 1, entries: [] },
    'agent-criteria.config.mjs': `export default {
      plugins: [globalThis[Symbol.for('agent-criteria/studio/judge')]], instruments: ['echo/judges.json'] };`,
  });
  const { id } = (await studio.json('POST', '/api/runs', { app: 'echo', sets: ['home'] })).body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  const lines = async () => {
    const { body } = await studio.json('GET', `/api/runs/${id}/view`);
    return (body as { certainty: { lines: string[] }[] }).certainty.flatMap((one) => one.lines);
  };
  expect(await lines()).toContain('the judge of polite was never measured: see agent-criteria calibrate');
  const [outcomes] = await outcomesOf(openRun(findRun(id, join(studio.folder, '.agent-criteria/runs'))));
  const instrument = outcomes!.instruments![0]!;
  const again = { setId: 'home', caseId: 'a', group: null, repeat: 0, scores: [1, 1], verdicts: [[true, true]] };
  const file = noiseFile([judgeNoise(instrument, [again])], id, new Date(0));
  writeFileSync(join(studio.folder, 'echo/judges.json'), JSON.stringify(file));
  expect(await lines()).toContain(
    'how far the judge of polite agrees with people was never measured: see agent-criteria calibrate',
  );
});
