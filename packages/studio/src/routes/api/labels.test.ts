import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Calibration } from '@agent-criteria/analysis';
import { expect, it } from 'vitest';
import { studioOf } from '../../__fixtures__/running-studio.ts';
import type { LabelGiven, LabelSheet, NewLabel, ThingToLabel } from '../../api.ts';

const turn = (text: string) => ({
  user_content: { role: 'user', parts: [{ text }] },
  final_response: { role: 'model', parts: [{ text }] },
});
const files = {
  'echo/agent.mjs': "export const rootAgent = (text) => (Number(text.split(' ')[1]) % 2 ? text : 'No idea');",
  'echo/home.evalset.json': {
    eval_set_id: 'home',
    eval_cases: Array.from({ length: 6 }, (_, index) => ({
      eval_id: `c${index}`,
      conversation: [turn(`case ${index}`), turn(`more ${index}`)],
    })),
  },
  'echo/test_config.json': { criteria: { response_match_score: 1 } },
};

async function judgedRun() {
  const studio = await studioOf(files);
  const { id } = (await studio.json('POST', '/api/runs', { app: 'echo' })).body as { id: string };
  await (await studio.ask(`/api/runs/${id}/events`)).text();
  const labels = `/api/runs/${id}/labels`;
  const of = (by: string) => `criterion=response_match_score&by=${by}`;
  return {
    studio,
    id,
    sheet: async (by?: string) =>
      (await studio.json('GET', by === undefined ? labels : `${labels}?by=${by}`)).body as LabelSheet,
    next: async (by: string, after = -1) =>
      (await studio.json('GET', `${labels}/next?${of(by)}&after=${after}`)).body as ThingToLabel | null,
    at: async (place: number, by: string) =>
      (await studio.json('GET', `${labels}/things/${place}?${of(by)}`)).body as ThingToLabel,
    give: (
      { about, scoring }: Pick<ThingToLabel, 'about' | 'scoring'>,
      by: string,
      label: NewLabel['label'],
      reason: string | null = null,
      drawn: NewLabel['drawn'] = undefined,
    ) => studio.json('POST', labels, { ...about, scoring, by, label, reason, drawn } satisfies NewLabel),
  };
}

it("the judge's verdict is sent only to a person who has labelled the same item", async () => {
  const { next, at, give, sheet } = await judgedRun();
  expect(await sheet()).toMatchObject({
    by: 'anonymous',
    people: [],
    kinds: [
      { criterion: 'response_match_score', rubric: null, unit: 'turn', judged: false, things: 12, labelled: 0 },
      { criterion: null, name: 'whole cases', things: 6 },
    ],
  });
  const first = (await next('ada')) as ThingToLabel;
  expect(first).toMatchObject({ at: 0, of: 12, labelled: 0, own: null, judge: null });
  expect(JSON.stringify(first)).not.toMatch(/"(passed|reached|value|verdict)":/);
  expect(first.turns).toHaveLength((first.about.turn ?? 0) + 1);

  const { body } = await give(first, 'ada', 'pass', '  It is right. ');
  const { caseId } = first.about;
  expect(body).toMatchObject({ labelled: 1, judge: { verdict: Number(caseId.slice(1)) % 2 ? 'pass' : 'fail' } });
  expect(await at(0, 'ada')).toMatchObject({
    own: { label: 'pass', reason: 'It is right.' },
    judge: (body as LabelGiven).judge,
  });
  // Another person cannot see the verdict yet.
  expect(await at(0, 'ben')).toMatchObject({ labelled: 0, own: null, judge: null });
  expect(await sheet('ada')).toMatchObject({ by: 'ada', people: ['ada'], kinds: [{ labelled: 1 }, { labelled: 0 }] });

  // The verdict is hidden again once the label is withdrawn.
  expect((await give(first, 'ada', null)).body).toEqual({ labelled: 0, judge: null });
  expect(await at(0, 'ada')).toMatchObject({ own: null, judge: null });
});

it('the next item follows the labelled or skipped one, and skipped items come up again', async () => {
  const { next, at, give } = await judgedRun();
  await give(await at(0, 'ada'), 'ada', 'pass');
  expect(await next('ada')).toMatchObject({ at: 1 });
  expect(await next('ada', 1)).toMatchObject({ at: 2 });
  for (let place = 2; place < 12; place += 1) await give(await at(place, 'ada'), 'ada', 'fail');
  expect(await next('ada', 11)).toMatchObject({ at: 1, labelled: 11 });
  await give(await at(1, 'ada'), 'ada', 'fail');
  expect(await next('ada')).toBeNull();
});

it("labels from several tabs and people are stored in the command's format and calibrate the judge", async () => {
  const { studio, id, at, give } = await judgedRun();
  const things = await Promise.all(Array.from({ length: 12 }, (_, place) => at(place, 'ada')));
  await Promise.all(things.flatMap((one) => [give(one, 'ada', 'pass'), give(one, 'ben', 'pass')]));
  const file = join(studio.folder, '.agent-criteria/runs', id, 'scorings/1/labels.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).by).sort()).toEqual([...Array(12).fill('ada'), ...Array(12).fill('ben')]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ setId: 'home', criterion: 'response_match_score', label: 'pass' });
  const { body } = await studio.json('GET', `/api/runs/${id}/calibration?criterion=response_match_score`);
  expect(body as Calibration).toMatchObject({
    people: ['ada', 'ben'],
    kinds: [{ things: 12, table: { bothPass: 6, peoplePassOnly: 6 }, amongPeople: { things: 12 } }],
  });
});

it('the order can be balanced by verdict, and each label records which order was used', async () => {
  const { studio, id, next, give } = await judgedRun();
  const ask = async (query: string) =>
    (await studio.json('GET', `/api/runs/${id}/labels/next?criterion=response_match_score&by=ada${query}`)) as {
      status: number;
      body: ThingToLabel;
    };
  // Half of the answers pass, so the default order is random.
  expect(await next('ada')).toMatchObject({ drawn: 'random' });
  const { body: thing } = await ask('&draw=by-verdict');
  expect(thing.drawn).toBe('by-verdict');
  expect((await ask('&draw=best')).status).toBe(422);
  await give(thing, 'ada', 'pass', null, thing.drawn);
  const file = join(studio.folder, '.agent-criteria/runs', id, 'scorings/1/labels.jsonl');
  expect(JSON.parse(readFileSync(file, 'utf8').trim())).toMatchObject({ label: 'pass', drawn: 'by-verdict' });
});

it('an invalid label, or a label for an item that is not in the run, is rejected', async () => {
  const { studio, id, at, give } = await judgedRun();
  const thing = await at(0, 'ada');
  const post = (more: object) =>
    studio.json('POST', `/api/runs/${id}/labels`, {
      ...thing.about,
      scoring: 1,
      by: 'ada',
      label: 'pass',
      reason: null,
      ...more,
    });
  expect((await post({ label: 'maybe' })).status).toBe(422);
  expect((await post({ by: ' ' })).status).toBe(422);
  expect((await post({ repeat: -1 })).status).toBe(422);
  expect((await post({ drawn: 'best' })).status).toBe(422);
  expect((await post({ reason: 'x'.repeat(10_001) })).status).toBe(422);
  expect((await post({ caseId: '__proto__' })).status).toBe(404);
  expect((await give({ ...thing, scoring: 2 }, 'ada', 'pass')).status).toBe(409);
  expect((await studio.json('GET', `/api/runs/${id}/labels/next?criterion=other`)).status).toBe(404);
  expect((await studio.json('GET', `/api/runs/${id}/labels/things/12?criterion=response_match_score`)).status).toBe(
    404,
  );
  expect((await studio.json('GET', '/api/runs/..%2F..%2Fx/labels')).status).toBe(404);
  expect((await at(0, 'ada')).own).toBeNull();
});
