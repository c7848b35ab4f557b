import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { studioOf } from '../__fixtures__/running-studio.ts';
import type { RunPage } from '../api.ts';

it('runs from the same second are listed by start time, newest first, in pages', async () => {
  const studio = await studioOf();
  const { body } = await studio.json('POST', '/api/runs', { app: 'echo', cases: ['greets'] });
  const { id } = body as { readonly id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  const runs = join(studio.folder, '.agent-criteria/runs');
  // The suffix of an id is random and independent of the time.
  const begun = [
    ['20200101-101010-bbbb', 30],
    ['20200101-101010-dddd', 10],
    ['20200101-101010-aaaa', 40],
    ['20200101-101010-cccc', 20],
    ['20200101-101011-aaaa', 1020],
  ] as const;
  for (const [copy, after] of begun) {
    cpSync(join(runs, id), join(runs, copy), { recursive: true });
    const file = join(runs, copy, 'plan.json');
    const plan = JSON.parse(readFileSync(file, 'utf8'));
    const createdAt = Date.UTC(2020, 0, 1, 10, 10, 10) + after;
    writeFileSync(file, JSON.stringify({ ...plan, id: copy, createdAt }));
  }
  rmSync(join(runs, id), { recursive: true });
  const newest = begun.toSorted(([, one], [, other]) => other - one).map(([name]) => name);
  const listed: string[] = [];
  for (let offset = 0; offset < begun.length; offset += 2) {
    const page = (await studio.json('GET', `/api/runs?limit=2&offset=${offset}`)).body as RunPage;
    listed.push(...page.runs.map((run) => run.id));
  }
  expect(listed).toEqual(newest);
});
