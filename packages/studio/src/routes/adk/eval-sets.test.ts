import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { echoAgent, homeFiles, homeSet, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';

const read = ({ folder }: TestStudio, file = 'echo/home.evalset.json') =>
  JSON.parse(readFileSync(join(folder, file), 'utf8'));

describe.each(['/apps/echo', '/dev/apps/echo'])('eval sets below %s', (app) => {
  it('can be listed, shown, created and deleted in both dialects', async () => {
    const studio = await studioOf();
    const { json } = studio;
    expect((await json('GET', `${app}/eval_sets`)).body).toEqual(['home']);
    expect((await json('GET', `${app}/eval-sets`)).body).toEqual({ evalSetIds: ['home'] });
    const created = await json('POST', `${app}/eval-sets`, {
      eval_set: { eval_set_id: 'new_one', model_execution_mode: 'live', tool_execution_mode: 'live', eval_cases: [] },
    });
    expect(created).toMatchObject({ status: 200, body: { eval_set_id: 'new_one', eval_cases: [] } });
    expect(read(studio, 'echo/new_one.evalset.json')).toMatchObject({ eval_set_id: 'new_one', name: 'new_one' });
    expect(await json('POST', `${app}/eval_sets/older`)).toEqual({ status: 200, body: null });
    expect((await json('POST', `${app}/eval_sets/older`)).status).toBe(400);
    expect((await json('POST', `${app}/eval-sets`, { evalSet: { evalSetId: 'a-b' } })).status).toBe(400);
    expect((await json('POST', `${app}/eval-sets`, { id: 'x' })).status).toBe(422);
    for (const dialect of ['eval_sets', 'eval-sets']) {
      expect((await json('GET', `${app}/${dialect}/home`)).body).toMatchObject({
        eval_set_id: 'home',
        eval_cases: [{ evalId: 'greets' }, { evalId: 'a/b c' }],
      });
    }
    expect((await json('DELETE', `${app}/eval_sets/older`)).status).toBe(200);
    expect((await json('DELETE', `${app}/eval-sets/new_one`)).status).toBe(200);
    expect((await json('DELETE', `${app}/eval-sets/new_one`)).status).toBe(404);
    expect((await json('GET', `${app}/eval_sets`)).body).toEqual(['home']);
  });

  it('have cases that can be listed, shown, replaced and deleted in both dialects', async () => {
    const { json } = await studioOf();
    expect((await json('GET', `${app}/eval_sets/home/evals`)).body).toEqual(['a/b c', 'greets']);
    expect((await json('GET', `${app}/eval_sets/none/evals`)).status).toBe(400);
    for (const path of ['eval_sets/home/evals', 'eval-sets/home/eval-cases']) {
      const { body } = await json('GET', `${app}/${path}/greets`);
      expect(body).toMatchObject({
        evalId: 'greets',
        name: 'A greeting',
        conversation: [{ invocationId: 'i-Hi', intermediateData: { toolUses: [{ name: 'look_up' }] } }],
        sessionInput: { appName: 'echo', userId: 'ann', state: { city: 'Rome', none: null } },
      });
      expect((await json('GET', `${app}/${path}/a%2Fb%20c`)).body).toMatchObject({ evalId: 'a/b c' });
      expect((await json('GET', `${app}/${path}/none`)).status).toBe(404);
      expect((await json('PUT', `${app}/${path}/none`, body)).status).toBe(404);
      expect((await json('PUT', `${app}/${path}/a%2Fb%20c`, body)).status).toBe(400);
      const wrong = await json('PUT', `${app}/${path}/greets`, {
        evalId: 'greets',
        conversation: [{ userContent: 3 }],
      });
      expect(wrong).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'conversation', 0, expect.stringMatching(/^user_?content$/i)] }] },
      });
      expect((await json('PUT', `${app}/${path}/greets`, body)).status).toBe(200);
    }
    expect((await json('DELETE', `${app}/eval_sets/home/evals/greets`)).status).toBe(200);
    expect((await json('DELETE', `${app}/eval-sets/home/eval-cases/a%2Fb%20c`)).status).toBe(200);
    expect((await json('GET', `${app}/eval_sets/home/evals`)).body).toEqual([]);
  });
});

const CASE = '/dev/apps/echo/eval_sets/home/evals/greets';

describe('a saved case', () => {
  it("keeps all fields that ADK's client does not send back", async () => {
    const studio = await studioOf();
    const { body } = await studio.json('GET', CASE);
    const { evalId, conversation, sessionInput, creationTimestamp } = body as Record<string, unknown>;
    const text = JSON.stringify(conversation).replace('You said: Hi', 'Hello');
    const sent = { evalId, conversation: JSON.parse(text), sessionInput, creationTimestamp };
    expect((await studio.json('PUT', CASE, sent)).status).toBe(200);
    const expected = structuredClone(homeSet);
    expected.eval_cases[0]!.conversation[0]!.final_response.parts[0]!.text = 'Hello';
    expect(read(studio)).toEqual(expected);
    // Turns lacking fields that the client may not know, and a session without state.
    const bare = {
      evalId,
      conversation: [{ invocationId: 'i-Hi', userContent: { parts: [{ text: 'Hey' }] } }],
      sessionInput: { appName: 'echo', userId: 'bob' },
    };
    await studio.json('PUT', CASE, bare);
    expect(read(studio).eval_cases[0]).toMatchObject({
      name: 'A greeting',
      agent_criteria: { tags: ['smoke'] },
      rubrics: [{ rubric_id: 'short' }],
      conversation: [{ rubrics: [{ rubric_id: 'polite' }], user_content: { parts: [{ text: 'Hey' }] } }],
      session_input: { user_id: 'bob', state: { city: 'Rome', none: null } },
    });
  });

  it('keeps its scenario if the client sends no conversation', async () => {
    const scenario = { starting_prompt: 'Hi', conversation_plan: 'Ask for the weather.' };
    const set = { eval_set_id: 'led', eval_cases: [{ eval_id: 'one', conversation_scenario: scenario }] };
    const studio = await studioOf({ 'echo/agent.mjs': echoAgent, 'echo/led.evalset.json': set });
    const path = '/dev/apps/echo/eval_sets/led/evals/one';
    for (const conversation of [undefined, null, []]) {
      const sent = { evalId: 'one', conversation, creationTimestamp: 5 };
      expect((await studio.json('PUT', path, sent)).status).toBe(200);
    }
    expect(read(studio, 'echo/led.evalset.json').eval_cases).toEqual([
      { eval_id: 'one', conversation_scenario: scenario, creation_timestamp: 5 },
    ]);
  });

  it('is rejected with an error that contains both versions if it would overwrite another change', async () => {
    const { ask, json } = await studioOf();
    const opened = await ask(CASE);
    const version = opened.headers.get('etag') ?? '';
    const mine = (await opened.json()) as object;
    const put = (body: object, ifMatch: string) =>
      ask(CASE, { method: 'PUT', body: JSON.stringify(body), headers: { 'if-match': ifMatch } });
    const saved = await put({ ...mine, name: 'first tab' }, version);
    expect(saved.status).toBe(200);
    const refused = await put({ ...mine, name: 'second tab' }, version);
    expect(refused.status).toBe(412);
    expect(await refused.json()).toMatchObject({
      detail: expect.stringContaining('changed elsewhere'),
      version: saved.headers.get('etag'),
      theirs: { name: 'first tab' },
      yours: { name: 'second tab' },
    });
    expect((await ask(CASE, { method: 'DELETE', headers: { 'if-match': version } })).status).toBe(412);
    expect((await put({ ...mine, name: 'second tab' }, saved.headers.get('etag') ?? '')).status).toBe(200);
    expect((await json('GET', CASE)).body).toMatchObject({ name: 'second tab' });
  });

  it('is not lost when saves are concurrent', async () => {
    const studio = await studioOf();
    const save = (path: string, evalId: string) => studio.json('PUT', path, { evalId, name: `new ${evalId}` });
    const other = '/dev/apps/echo/eval_sets/home/evals/a%2Fb%20c';
    const saved = await Promise.all([save(CASE, 'greets'), save(other, 'a/b c')]);
    expect(saved.map(({ status }) => status)).toEqual([200, 200]);
    expect(read(studio).eval_cases.map(({ name }: { name: string }) => name)).toEqual(['new greets', 'new a/b c']);
  });
});

describe('eval set files in other formats', () => {
  const old = [
    { query: 'Hi', expected_tool_use: [{ tool_name: 'look_up', tool_input: { text: 'Hi' } }], reference: 'Hello' },
  ];
  const files = {
    ...homeFiles,
    'echo/old.test.json': old,
    'echo/deep/home.test.json': homeSet,
    'echo/commented.evalset.json': `// A note.\n${JSON.stringify(homeSet)}`,
    'echo/lines.evalset.jsonl': JSON.stringify(homeSet.eval_cases[0]),
  };

  it('are listed and can be opened', async () => {
    const { json } = await studioOf(files);
    const { body } = await json('GET', '/apps/echo/eval_sets');
    expect(body).toEqual(['commented', 'deep.home.test', 'home', 'lines.evalset.jsonl', 'old.test']);
    for (const id of body as string[]) {
      expect((await json('GET', `/apps/echo/eval_sets/${id}/evals`)).status).toBe(200);
    }
  });

  it('are saved as eval sets, except for JSON Lines', async () => {
    const studio = await studioOf(files);
    const [id] = (await studio.json('GET', '/apps/echo/eval_sets/old.test/evals')).body as string[];
    const path = `/apps/echo/eval_sets/old.test/evals/${encodeURIComponent(id ?? '')}`;
    expect((await studio.json('PUT', path, { evalId: id, creationTimestamp: 3 })).status).toBe(200);
    expect(read(studio, 'echo/old.test.json')).toMatchObject({
      eval_cases: [
        { eval_id: id, creation_timestamp: 3, conversation: [{ user_content: { parts: [{ text: 'Hi' }] } }] },
      ],
    });
    const line = '/apps/echo/eval_sets/lines.evalset.jsonl/evals/greets';
    expect(await studio.json('DELETE', line)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('JSON Lines can be shown and run here, but not edited') },
    });
  });
});
