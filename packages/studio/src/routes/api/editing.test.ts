import { chmodSync, existsSync, lstatSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalCase } from '@agent-criteria/core';
import { loadEvalSet } from '@agent-criteria/project/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import {
  echoAgent,
  homeFiles,
  homeSet,
  rawRequest,
  studioOf,
  type TestStudio,
} from '../../__fixtures__/running-studio.ts';
import type { CaseText, CaseVersion, Deleted, SetSummary } from '../../api.ts';

const SETS = '/api/apps/echo/sets';
const CASES = `${SETS}/home/cases`;

const turn = (text: string) => ({ user_content: { role: 'user', parts: [{ text }] } });
const setOfCases = (...ids: string[]) => ({
  eval_set_id: 'home',
  eval_cases: ids.map((id) => ({ eval_id: id, conversation: [turn(id)], mine: { of: id } })),
});
const filesOf = (content: unknown) => ({ 'echo/agent.mjs': echoAgent, 'echo/home.evalset.json': content });
const fileOf = ({ folder }: TestStudio) => join(folder, 'echo/home.evalset.json');
const textOf = (studio: TestStudio) => readFileSync(fileOf(studio), 'utf8');
const idsIn = (studio: TestStudio) =>
  JSON.parse(textOf(studio)).eval_cases.map((one: { eval_id: string }) => one.eval_id);

async function put(studio: TestStudio, path: string, version: string, body: unknown) {
  const init = { method: 'PUT', headers: { 'if-match': version }, body: JSON.stringify(body) };
  const answer = await studio.ask(path, init);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function remove(studio: TestStudio, path: string): Promise<string> {
  const { status, body } = await studio.json('DELETE', path, undefined, '*');
  expect(status).toBe(200);
  return (body as Deleted).undo;
}

const undo = ({ json }: TestStudio, id: string) => json('POST', `/api/deletions/${id}/undo`);

const COMMENTED = `{
  // Who wrote this wants it back.
  "eval_set_id": "home", "eval_cases": [
    { "eval_id": "a", "conversation": [{ "user_content": { "parts": [{ "text": "Hi" }] } }], },
    { "eval_id": "b", "conversation": [{ "user_content": { "parts": [{ "text": "Bye" }] } }] }, # the last
  ],
}
`;

describe('a deletion', () => {
  it('of a set can be undone once, leaving the file unchanged', async () => {
    const studio = await studioOf(filesOf(COMMENTED));
    const id = await remove(studio, `${SETS}/home`);
    expect(existsSync(fileOf(studio))).toBe(false);
    expect(await undo(studio, id)).toEqual({ status: 200, body: { app: 'echo', set: 'home', case: null } });
    expect(textOf(studio)).toBe(COMMENTED);
    expect(await undo(studio, id)).toMatchObject({ status: 404, body: { detail: expect.stringMatching(/only once/) } });
    expect((await undo(studio, '__proto__')).status).toBe(404);
  });

  it('of a set is not undone while a new set has the same name, but can be undone once that set is gone', async () => {
    const studio = await studioOf();
    const before = textOf(studio);
    const id = await remove(studio, `${SETS}/home`);
    expect((await studio.json('POST', SETS, { id: 'home' })).status).toBe(200);
    expect(await undo(studio, id)).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/rename it/) } });
    expect(idsIn(studio)).toEqual([]);
    rmSync(fileOf(studio));
    expect((await undo(studio, id)).status).toBe(200);
    expect(textOf(studio)).toBe(before);
  });

  it('of a case can be undone, restoring the whole file including comments', async () => {
    const studio = await studioOf(filesOf(COMMENTED));
    const id = await remove(studio, `${CASES}/a`);
    expect(idsIn(studio)).toEqual(['b']);
    expect(await undo(studio, id)).toEqual({ status: 200, body: { app: 'echo', set: 'home', case: 'a' } });
    expect(textOf(studio)).toBe(COMMENTED);
  });

  it('of a case is undone at its original position, despite other changes in between', async () => {
    const all = ['a', 'b', 'c', 'd'];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(all, { minLength: 1 }), fc.string(), async (deleted, description) => {
        const studio = await studioOf(filesOf(setOfCases(...all)));
        const undos = [];
        for (const id of deleted) undos.push(await remove(studio, `${CASES}/${id}`));
        // Makes another change, so that the file cannot simply be restored.
        await studio.json('PATCH', `${SETS}/home`, { description }, '*');
        // Undoes the deletions in reverse order.
        for (const id of undos.toReversed()) expect((await undo(studio, id)).status).toBe(200);
        expect(idsIn(studio)).toEqual(all);
        expect(JSON.parse(textOf(studio)).eval_cases).toMatchObject(setOfCases(...all).eval_cases);
        expect(JSON.parse(textOf(studio)).description).toBe(description);
      }),
      { numRuns: runs(60) },
    );
  });

  it('of a case is not undone if its id has been taken', async () => {
    const studio = await studioOf(filesOf(setOfCases('a', 'b')));
    const id = await remove(studio, `${CASES}/a`);
    const taken = { evalId: 'a', conversation: [{ userContent: { parts: [{ text: 'Other' }] } }] };
    expect((await studio.json('POST', CASES, taken)).status).toBe(200);
    expect(await undo(studio, id)).toMatchObject({ status: 400, body: { detail: expect.stringContaining('"a"') } });
    expect(idsIn(studio)).toEqual(['b', 'a']);
  });
});

describe('a case as text', () => {
  const read = ({ json }: TestStudio, text: string) => json('POST', '/api/cases/read', { text });

  it('is formatted as in files and can be parsed again', async () => {
    const studio = await studioOf();
    const { evalCase } = (await studio.json('GET', `${CASES}/greets`)).body as CaseVersion;
    const { text } = (await studio.json('POST', '/api/cases/write', evalCase)).body as CaseText;
    expect(JSON.parse(text)).toEqual(homeSet.eval_cases[0]);
    expect((await read(studio, text)).body).toEqual({ text, evalCase, notes: [] });
  });

  it('may contain comments and trailing commas, with a note that they are not saved', async () => {
    const studio = await studioOf();
    const text = `{ "eval_id": "x", // an id
      "conversation": [{ "user": "Hi", "answer": "Hello", }], # Python's
    }`;
    expect(await read(studio, text)).toMatchObject({
      status: 200,
      body: {
        evalCase: { evalId: 'x', conversation: [{ userContent: { parts: [{ text: 'Hi' }] } }] },
        notes: [expect.stringMatching(/^Comments and trailing commas are read here, and not saved/)],
      },
    });
  });

  it('may be a set with one case, and if invalid is rejected with line, column and every mistake', async () => {
    const studio = await studioOf();
    expect(await read(studio, JSON.stringify(setOfCases('only')))).toMatchObject({
      status: 200,
      body: { evalCase: { evalId: 'only', mine: { of: 'only' } }, notes: [expect.stringMatching(/whole eval set/)] },
    });
    expect(await read(studio, JSON.stringify(setOfCases('a', 'b')))).toMatchObject({
      status: 422,
      body: { detail: [{ msg: expect.stringMatching(/2 cases/) }] },
    });
    expect(await read(studio, '{\n "eval_id": }')).toMatchObject({
      status: 422,
      body: { detail: [{ msg: expect.stringMatching(/line 2/) }] },
    });
    const wrong = await read(studio, '{ "eval_id": 1, "conversation": [] }');
    expect(wrong.status).toBe(422);
    expect((wrong.body as { detail: unknown[] }).detail.length).toBeGreaterThan(1);
  });

  it("comes with a note that an edit loses the file's comments", async () => {
    const studio = await studioOf(filesOf(COMMENTED));
    const [set] = (await studio.json('GET', SETS)).body as SetSummary[];
    expect(set?.notes).toEqual([expect.stringMatching(/comments.*without them/)]);
    const { evalCase, version } = (await studio.json('GET', `${CASES}/a`)).body as CaseVersion;
    expect((await put(studio, `${CASES}/a`, version, { ...evalCase, name: 'A' })).status).toBe(200);
    expect(((await studio.json('GET', SETS)).body as SetSummary[])[0]?.notes).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a set behind a link', () => {
  it('is edited in place: the link stays a link, and the file keeps its permissions', async () => {
    const studio = await studioOf({ 'echo/agent.mjs': echoAgent, 'echo/real/one.json': setOfCases('a', 'b') });
    const [real, link] = [join(studio.folder, 'echo/real/one.json'), fileOf(studio)];
    chmodSync(real, 0o600);
    symlinkSync('real/one.json', join(studio.folder, 'echo/between.json'));
    symlinkSync('between.json', link);
    const { evalCase, version } = (await studio.json('GET', `${CASES}/a`)).body as CaseVersion;
    expect((await put(studio, `${CASES}/a`, version, { ...evalCase, name: 'A' })).status).toBe(200);
    const id = await remove(studio, `${CASES}/b`);
    expect((await undo(studio, id)).status).toBe(200);
    expect(JSON.parse(readFileSync(real, 'utf8')).eval_cases).toMatchObject([{ name: 'A' }, { eval_id: 'b' }]);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('loses only its link when deleted, and undo restores the link', async () => {
    const studio = await studioOf({ 'echo/agent.mjs': echoAgent, 'echo/real/one.json': setOfCases('a') });
    symlinkSync('real/one.json', fileOf(studio));
    const id = await remove(studio, `${SETS}/home`);
    expect(existsSync(join(studio.folder, 'echo/real/one.json'))).toBe(true);
    expect((await undo(studio, id)).status).toBe(200);
    expect(readlinkSync(fileOf(studio))).toBe('real/one.json');
  });

  it('is restored with its permissions', async () => {
    const studio = await studioOf();
    chmodSync(fileOf(studio), 0o600);
    const id = await remove(studio, `${SETS}/home`);
    expect((await undo(studio, id)).status).toBe(200);
    expect(statSync(fileOf(studio)).mode & 0o777).toBe(0o600);
  });
});

describe('two people editing the same case', () => {
  it('lose nothing: the second gets both versions and may deliberately overwrite the first', async () => {
    const studio = await studioOf();
    const path = `${CASES}/greets`;
    const open = async () => (await studio.json('GET', path)).body as CaseVersion;
    const [first, second] = [await open(), await open()];
    const theirs = { ...first.evalCase, agentCriteria: { tags: ['theirs'] } };
    const yours = { ...second.evalCase, agentCriteria: { tags: ['yours'] } };
    expect((await put(studio, path, first.version, theirs)).status).toBe(200);
    const refused = await put(studio, path, second.version, yours);
    expect(refused).toMatchObject({
      status: 412,
      body: { theirs, yours, detail: expect.stringMatching(/changed elsewhere/) },
    });
    expect((await open()).evalCase).toEqual(theirs);
    // Deliberately overwrites the other version.
    expect((await put(studio, path, String(refused.body.version), yours)).status).toBe(200);
    expect((await open()).evalCase).toEqual(yours);
    // Other cases in the set are unchanged.
    expect(JSON.parse(textOf(studio))).toMatchObject({ mine: { kept: true }, eval_cases: [{}, homeSet.eval_cases[1]] });
  });

  it('get a conflict if they save at the same moment', async () => {
    const studio = await studioOf();
    const path = `${CASES}/greets`;
    const { evalCase, version } = (await studio.json('GET', path)).body as CaseVersion;
    const saves = ['a', 'b', 'c', 'd'].map((name) => put(studio, path, version, { ...evalCase, name }));
    const answers = await Promise.all(saves);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  });

  it('must send the version that they are changing or deleting', async () => {
    const studio = await studioOf();
    const before = textOf(studio);
    for (const [method, path, body] of [
      ['PATCH', `${SETS}/home`, { description: 'New' }],
      ['PUT', `${SETS}/home/config`, { metrics: [{ metricName: 'response_match_score', threshold: 0.5 }] }],
      ['PUT', `${CASES}/greets`, homeSet.eval_cases[0]],
      ['DELETE', `${CASES}/greets`, undefined],
    ] as const) {
      const answer = await studio.json(method, path, body);
      expect(answer).toMatchObject({
        status: 428,
        body: { detail: expect.stringMatching(/^Send the version .*If-Match/) },
      });
    }
    expect(textOf(studio)).toBe(before);
    expect(existsSync(join(studio.folder, 'echo/test_config.json'))).toBe(false);
  });

  it('cannot delete a case that the other person has changed', async () => {
    const studio = await studioOf();
    const path = `${CASES}/greets`;
    const { evalCase, version } = (await studio.json('GET', path)).body as CaseVersion;
    await put(studio, path, version, { ...evalCase, name: 'New' });
    const answer = await studio.ask(path, { method: 'DELETE', headers: { 'if-match': version } });
    expect(answer.status).toBe(412);
    expect(await answer.json()).toMatchObject({ theirs: { name: 'New' } });
  });
});

describe('a request body over the limit', () => {
  it('is rejected with an error that gives its size, the limit and what to do, and changes nothing', async () => {
    const studio = await studioOf(homeFiles, { maxBodyBytes: 100_000 });
    const before = textOf(studio);
    const big = { evalId: 'big', conversation: [turn('x'.repeat(2_000_000))] };
    const { version } = (await studio.json('GET', `${CASES}/greets`)).body as CaseVersion;
    for (const [method, path] of [
      ['POST', CASES],
      ['PUT', `${CASES}/greets`],
      ['POST', '/api/cases/read'],
      ['POST', '/api/runs'],
      ['POST', '/api/estimate'],
    ] as const) {
      const init = { method, body: JSON.stringify(big), headers: { 'if-match': version } };
      const answer = await studio.ask(path, init);
      expect([path, answer.status]).toEqual([path, 413]);
      const { detail } = (await answer.json()) as { detail: string };
      expect(detail).toMatch(/2\.0 MB.*at most 100 kB.*parts/);
    }
    expect(textOf(studio)).toBe(before);
    expect((await studio.json('GET', SETS)).status).toBe(200);
  });
});

describe('names', () => {
  const strange = [
    ['a/b'],
    ['../home'],
    ['..%2Fhome'],
    ['C:\\evals\\home'],
    ['\\\\server\\share'],
    ['nul\0byte'],
    ['con'],
    ['Größe'],
    ['会話 1'],
    ['محادثة'],
    ['🗝️'],
    ['__proto__'],
    ['constructor'],
    ['?x=1#y'],
    [' '],
    ['.'],
    ['..'],
    ['<b>'],
    ['a\nb'],
  ];

  it.each(strange)('of cases may contain any text: %j', async (evalId) => {
    const studio = await studioOf();
    const path = `${CASES}/${encodeURIComponent(evalId)}`;
    const made: EvalCase = { evalId, conversation: [{ userContent: { parts: [{ text: 'Hi' }] } }] };
    expect(await studio.json('POST', CASES, made)).toMatchObject({ status: 200, body: { evalCase: made } });
    expect((await loadEvalSet(fileOf(studio))).value.evalCases.at(-1)).toEqual(made);
    if (evalId === '.' || evalId === '..') return;
    const { evalCase, version } = (await studio.json('GET', path)).body as CaseVersion;
    expect(evalCase).toEqual(made);
    expect((await put(studio, path, version, { ...made, name: 'N' })).status).toBe(200);
    const id = await remove(studio, path);
    expect((await undo(studio, id)).status).toBe(200);
    expect(idsIn(studio)).toEqual(['greets', 'a/b c', evalId]);
  });

  it.each(strange)('of sets never become paths: %j', async (id) => {
    const studio = await studioOf();
    expect((await studio.json('POST', SETS, { id })).status).toBe(/^\w+$/.test(id) ? 200 : 400);
    const renamed = await studio.json('PATCH', `${SETS}/home`, { id: `${id}-x` }, '*');
    expect([id, renamed.status]).toEqual([id, 400]);
    expect(existsSync(fileOf(studio))).toBe(true);
  });

  it.each(['..', '%2e%2e%2fsecret', '..%5csecret', 'home%00', '%2fetc%2fpasswd', 'C%3A%5Csecret', '%ff', '%'])(
    'in paths never lead elsewhere: %s',
    async (way) => {
      const studio = await studioOf({ ...homeFiles, 'secret.evalset.json': setOfCases('outside') });
      const headers = { authorization: `Bearer ${studio.token}`, 'if-match': '*' };
      for (const [method, path] of [
        ['GET', `/api/apps/${way}/sets`],
        ['GET', `${SETS}/${way}/cases`],
        ['DELETE', `${SETS}/${way}`],
        ['GET', `${CASES}/${way}`],
        ['DELETE', `${CASES}/${way}`],
        ['GET', `${SETS}/${way}/criteria`],
        ['POST', `/api/deletions/${way}/undo`],
      ] as const) {
        const { status, text } = await rawRequest(studio.url, path, headers, method);
        expect([400, 404, 405], `${method} ${path}: ${status} ${text}`).toContain(status);
        expect(text).not.toContain('outside');
      }
      expect(existsSync(join(studio.folder, 'secret.evalset.json'))).toBe(true);
      expect(JSON.parse(textOf(studio))).toEqual(homeSet);
    },
  );
});
