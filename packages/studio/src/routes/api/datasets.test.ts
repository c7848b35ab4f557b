import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { echoAgent, studioOf } from '../../__fixtures__/running-studio.ts';
import type { SetSummary } from '../../api.ts';

const prompt = { role: 'user', parts: [{ text: 'Hi' }] };
const whole = { eval_cases: [{ eval_case_id: 'greeting', prompt, reference: 'Hi' }] };
const more = { eval_cases: [{ eval_case_id: 'greeting', prompt, context: 'a page' }] };
const SETS = '/api/apps/echo/sets';

it('an agents-cli dataset can be shown but is never written', async () => {
  const studio = await studioOf({
    'echo/agent.mjs': echoAgent,
    'echo/tests/basic-dataset.json': whole,
    'echo/tests/more-dataset.json': more,
    'echo/other-dataset.json': { rows: [] },
  });
  const file = join(studio.folder, 'echo/tests/basic-dataset.json');
  const before = readFileSync(file, 'utf8');
  const { body } = await studio.json('GET', SETS);
  const [basic, lossy, ...others] = body as readonly SetSummary[];
  expect(others).toEqual([]);
  expect(basic).toMatchObject({ id: 'tests.basic-dataset', evalSetId: 'basic', cases: 1, editable: false });
  expect(lossy).toMatchObject({ id: 'tests.more-dataset', cases: null, editable: false });
  expect(lossy?.problem).toMatch(/agent-criteria migrate \S+more-dataset\.json \S+more\.evalset\.json/);
  expect(lossy?.problem).toContain('$.eval_cases[0].context');

  const edited = await studio.ask(`${SETS}/tests.basic-dataset`, {
    method: 'PATCH',
    headers: { 'if-match': '*' },
    body: JSON.stringify({ name: 'Mine' }),
  });
  expect(edited.status).toBeGreaterThanOrEqual(400);
  expect(await edited.text()).toContain('can be shown and run here, but not edited');
  expect(readFileSync(file, 'utf8')).toBe(before);
});
