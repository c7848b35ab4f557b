import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { echoAgent, homeFiles, homeSet, studioOf } from '../../__fixtures__/running-studio.ts';
import type { RunDetail } from '../../api.ts';

it('says which set of which agent a run is of, and what happened in it as what would be expected', async () => {
  const studio = await studioOf({
    // Another agent's set by the same name.
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

  // A file that is gone has no place, and its namesake is not taken for it.
  renameSync(join(studio.folder, 'echo/home.evalset.json'), join(studio.folder, 'echo/moved.evalset.json'));
  expect((await detail()).places).toEqual([]);
});
