import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeFiles, homeSet, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { CaseVersion } from '../../api.ts';

// Concurrent tabs and users lose nothing, and no user gets another user's data.

const CASES = '/api/apps/echo/sets/home/cases';
const casesOf = ({ folder }: TestStudio): readonly { readonly eval_id: string; readonly name?: string }[] =>
  JSON.parse(readFileSync(join(folder, 'echo/home.evalset.json'), 'utf8')).eval_cases;
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

it('of ten concurrent saves of one version, one is stored and the others are rejected as conflicts', async () => {
  const studio = await studioOf();
  const { evalCase, version } = (await studio.json('GET', `${CASES}/greets`)).body as CaseVersion;
  const answers = await times(10, (index) =>
    studio.json('PUT', `${CASES}/greets`, { ...evalCase, name: `tab ${index}` }, version),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
  const kept = answers.findIndex(({ status }) => status === 200);
  expect(casesOf(studio)[0]?.name).toBe(`tab ${kept}`);
});

it('twenty concurrent new cases are each stored once', async () => {
  const studio = await studioOf();
  const [first] = homeSet.eval_cases;
  const answers = await times(20, (index) => studio.json('POST', CASES, { ...first, eval_id: `new ${index}` }));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const ids = casesOf(studio).map(({ eval_id }) => eval_id);
  expect(ids.slice(0, 2)).toEqual(['greets', 'a/b c']);
  expect(ids.slice(2).toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `new ${index}`).toSorted());
});

it('of several concurrent new cases with the same id, only one is stored', async () => {
  const studio = await studioOf();
  const [first] = homeSet.eval_cases;
  const answers = await times(5, () => studio.json('POST', CASES, { ...first, eval_id: 'same' }));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(casesOf(studio).filter(({ eval_id }) => eval_id === 'same')).toHaveLength(1);
});

it("users do not see other users' sessions, even with the same id", async () => {
  const studio = await studioOf();
  const at = (user: string) => `/apps/echo/users/${user}/sessions/mine`;
  for (const user of ['ann', 'bob']) {
    expect((await studio.json('POST', at(user), { user })).status).toBe(200);
  }
  const say = (userId: string, text: string) =>
    studio.json('POST', '/run', {
      appName: 'echo',
      userId,
      sessionId: 'mine',
      newMessage: { role: 'user', parts: [{ text }] },
    });
  await Promise.all([say('ann', 'for ann'), say('bob', 'for bob')]);
  for (const [user, other] of [
    ['ann', 'bob'],
    ['bob', 'ann'],
  ] as const) {
    const { body } = await studio.json('GET', at(user));
    expect(body).toMatchObject({ userId: user, state: { user, turns: 1 } });
    expect(JSON.stringify(body)).toContain(`You said: for ${user}`);
    expect(JSON.stringify(body)).not.toContain(`for ${other}`);
  }
  expect((await studio.json('DELETE', at('ann'))).status).toBe(200);
  expect((await studio.json('GET', at('bob'))).status).toBe(200);
});

it('a session deleted during a turn stays deleted, and its id can be reused', async () => {
  const agent = `let go;
    export const rootAgent = async (text, { state }) => {
      if (text === 'go') go();
      else await new Promise((done) => { go = done; });
      state.said = text;
      return text;
    };`;
  const studio = await studioOf({ ...homeFiles, 'echo/agent.mjs': agent });
  const at = (id: string) => `/apps/echo/users/user/sessions/${id}`;
  const say = (sessionId: string, text: string) =>
    studio.json('POST', '/run', {
      appName: 'echo',
      userId: 'user',
      sessionId,
      newMessage: { role: 'user', parts: [{ text }] },
    });
  await studio.json('POST', at('gone'), {});
  await studio.json('POST', at('other'), {});
  const turn = say('gone', 'wait');
  const detail = async () => (await studio.json('GET', '/api/apps/echo/sessions/gone')).body;
  await expect.poll(detail).toMatchObject({ isBusy: true });
  expect((await studio.json('DELETE', at('gone'))).status).toBe(200);
  await say('other', 'go');
  expect((await turn).status).toBe(200);
  expect((await studio.json('GET', at('gone'))).status).toBe(404);
  expect((await studio.json('POST', at('gone'), {})).body).toMatchObject({ events: [], state: {} });
});
