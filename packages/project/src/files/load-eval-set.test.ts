import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import * as built from '@agent-criteria/core/eval-set';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { migrateEvalData } from '@agent-criteria/formats/migration';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { evalSetFrom } from '@agent-criteria/runner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { loadEvalSet, loadInitialSession, withInitialSession } from './load-eval-set.ts';

const turns = [{ query: 'Hi', reference: 'Hello', expected_tool_use: [] }];

describe('loadEvalSet', () => {
  it('reads an eval set in camelCase and in snake_case', async () => {
    const set = evalSet([evalCase('a', [{ user: 'Hi', answer: 'Hello' }])]);
    const folder = folderOf({ 'camel.json': set, 'snake.json': writeEvalSet(set) });
    for (const name of ['camel.json', 'snake.json']) expect((await loadEvalSet(join(folder, name))).value).toEqual(set);
  });

  it('reads short turns in a set, a list of cases and JSON Lines', async () => {
    const inShort = { eval_id: 'a', conversation: [{ user: 'Hi', answer: 'Hello' }] };
    const bad = { eval_id: 'b', conversation: [{ user: 'Hi', anwser: 'Hello' }] };
    const folder = folderOf({
      'set.json': { eval_set_id: 'set', eval_cases: [inShort] },
      'list.json': [inShort],
      'lines.jsonl': JSON.stringify(inShort),
      'bad.jsonl': `${JSON.stringify(inShort)}\n${JSON.stringify(bad)}`,
    });
    const evalCases = [built.evalCase('a', [built.turn('Hi', { answer: 'Hello' })])];
    for (const name of ['set.json', 'list.json', 'lines.jsonl']) {
      const { value, warnings } = await loadEvalSet(join(folder, name));
      expect([value.evalCases, warnings]).toEqual([evalCases, []]);
    }
    await expect(loadEvalSet(join(folder, 'bad.jsonl'))).rejects.toThrow(
      'bad.jsonl line 2 $.conversation[0].anwser: unknown key "anwser"; did you mean "answer"?',
    );
  });

  it.each(['old.test.json', 'old.evalset.json', 'old.json'])(
    'migrates legacy data to a set named after its file: %s',
    async (name) => {
      const { value } = await loadEvalSet(join(folderOf({ [name]: turns }), name));
      expect(value.evalSetId).toBe('old');
      expect(value.evalCases).toMatchObject([
        { evalId: 'old', conversation: [{ userContent: { parts: [{ text: 'Hi' }] } }] },
      ]);
    },
  );

  it('names the file in every problem and every warning', async () => {
    const folder = folderOf({
      'bad.json': { eval_set_id: 5, eval_cases: [{ eval_id: 'a', conversation: [] }] },
      'odd.json': `{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "colour": 12345678901234567890, "conversation": [{"user_content": {}}]}], }`,
    });
    const bad = loadEvalSet(join(folder, 'bad.json'));
    await expect(bad).rejects.toMatchObject({
      problems: [
        { file: join(folder, 'bad.json'), path: '$.eval_set_id' },
        { file: join(folder, 'bad.json'), path: '$.eval_cases[0].conversation' },
      ],
    });
    const { warnings } = await loadEvalSet(join(folder, 'odd.json'));
    expect(warnings.map(({ file, path }) => [file, path])).toEqual([
      [join(folder, 'odd.json'), undefined],
      [join(folder, 'odd.json'), '$.eval_cases[0].colour'],
    ]);
  });

  it.each([
    ['{"eval_set_id": "s", "eval_cases": [], "__proto__": {"polluted": true}}', '$'],
    [
      '{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "session_input": {"app_name": "a", "user_id": "u", "state": {"__proto__": {}}}, "conversation": [{"user_content": {}}]}]}',
      'state',
    ],
    ['[{"query": "q", "__proto__": {}}]', '$[0]'],
  ])('rejects __proto__ keys, giving their path: %s', async (text, path) => {
    for (const whole of [text, `// with a comment\n${text}`]) {
      const file = join(folderOf({ 'a.json': whole }), 'a.json');
      const error = await loadEvalSet(file).catch((thrown: unknown) => thrown);
      const unsafe = (error as { problems: { code: string; path: string; file: string }[] }).problems.find(
        ({ code }) => code === 'UNSAFE_KEY',
      );
      expect(unsafe).toMatchObject({ file, path: expect.stringContaining(path) });
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('rejects a file that is too deeply nested', async () => {
    const file = join(
      folderOf({ 'a.json': `{"eval_set_id": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "eval_cases": []}` }),
      'a.json',
    );
    await expect(loadEvalSet(file)).rejects.toMatchObject({
      code: expect.any(String),
      message: expect.stringContaining(file),
    });
  });
});

const written = (id: string) => ({
  eval_id: id,
  conversation: [{ user_content: { role: 'user', parts: [{ text: 'Hi' }] } }],
});

async function problemsOf(file: string): Promise<readonly { path?: string; message: string }[]> {
  const error = await loadEvalSet(file).catch((thrown: unknown) => thrown);
  return (error as { problems: { path?: string; message: string }[] }).problems;
}

describe('a list of eval cases', () => {
  it('is read as a set named after its file, and paths refer to the list', async () => {
    const folder = folderOf({ 'home.evalset.json': [written('a'), evalCase('b', [{ user: 'Hi' }])] });
    const { value, caseAt } = await loadEvalSet(join(folder, 'home.evalset.json'));
    expect(value).toMatchObject({ evalSetId: 'home', evalCases: [{ evalId: 'a' }, { evalId: 'b' }] });
    expect(caseAt(1)).toBe('$[1]');
  });

  it('reports mistakes with their paths', async () => {
    const folder = folderOf({ 'a.json': [written('a'), { ...written('a'), rubrics: 5 }, { eval_id: 'c' }] });
    expect((await problemsOf(join(folder, 'a.json'))).map(({ path, message }) => `${path} ${message}`)).toEqual([
      expect.stringMatching(/^\$\[1\]\.rubrics /),
      '$[1].eval_id "a" is already the id of $[0]; give each case its own id',
      expect.stringMatching(/^\$\[2\] a case needs "conversation"/),
    ]);
  });
});

describe('evalSetFrom with a list', () => {
  it.each([
    ['an eval case with unknown keys', [{ ...written('a'), data: 1, query: 'x' }], 'a'],
    ['legacy turns with an id', [{ eval_id: 'x', query: 'Hi', reference: 'Hello' }], 'mine'],
    ['legacy cases with an id', [{ eval_id: 'x', name: 'b', data: turns }], 'b'],
  ])('recognises %s', async (_what, list, evalId) => {
    expect((await evalSetFrom(list, 'mine')).value.evalCases.map((one) => one.evalId)).toEqual([evalId]);
  });
});

describe('JSON Lines', () => {
  it('are read as the cases of a set named after the file', async () => {
    const folder = folderOf({
      'home.evalset.jsonl': `${JSON.stringify(written('a'))}\r\n\r\n${JSON.stringify(written('b'))}`,
    });
    const { value, caseAt } = await loadEvalSet(join(folder, 'home.evalset.jsonl'));
    expect(value).toMatchObject({ evalSetId: 'home', evalCases: [{ evalId: 'a' }, { evalId: 'b' }] });
    expect(caseAt(1)).toBe('line 3');
  });

  it("may start with a line that holds the set's own fields", async () => {
    const head = { eval_set_id: 'other', name: 'Other', agent_criteria: { x: 1 } };
    const folder = folderOf({ 'home.jsonl': `${JSON.stringify(head)}\n${JSON.stringify(written('a'))}\n` });
    const { value, caseAt } = await loadEvalSet(join(folder, 'home.jsonl'));
    expect(value).toMatchObject({
      evalSetId: 'other',
      name: 'Other',
      agentCriteria: { x: 1 },
      evalCases: [{ evalId: 'a' }],
    });
    expect(caseAt(0)).toBe('line 2');
  });

  it('report mistakes with their line number', async () => {
    const lines = [{ eval_set_id: 's', name: 5 }, written('a'), { ...written('a'), rubrics: 5 }, 7];
    const folder = folderOf({ 'a.jsonl': lines.map((line) => JSON.stringify(line)).join('\n\n') });
    expect((await problemsOf(join(folder, 'a.jsonl'))).map(({ path, message }) => `${path} ${message}`)).toEqual([
      expect.stringMatching(/^line 1 \$\.name /),
      expect.stringMatching(/^line 5 \$\.rubrics /),
      expect.stringMatching(/^line 7 /),
      'line 5 $.eval_id "a" is already the id of line 3; give each case its own id',
    ]);
  });

  it.each([
    ['', 'undefined the file is empty; write one eval case per line'],
    ['{"eval_set_id": "s"}', 'undefined the set has no case'],
    ['{"eval_set_id": "s", "eval_cases": []}', 'line 1 this is a whole eval set'],
    ['{"eval_id": "a", "__proto__": {"x": 1}, "conversation": [{"user_content": {}}]}', 'line 1'],
    ['{"eval_set_id": "s", "__proto__": {"evalCases": []}}', 'line 1'],
  ])('are rejected: %s', async (text, told) => {
    const [first] = await problemsOf(join(folderOf({ 'a.jsonl': text }), 'a.jsonl'));
    expect(`${first?.path} ${first?.message}`).toContain(told);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('can contain 20,000 cases', async () => {
    const count = 20_000;
    const text = Array.from({ length: count }, (_, index) => JSON.stringify(written(`case ${index}`))).join('\n');
    const { value } = await loadEvalSet(join(folderOf({ 'a.jsonl': text }), 'a.jsonl'));
    expect(value.evalCases).toHaveLength(count);
    expect(value.evalCases.at(-1)?.evalId).toBe(`case ${count - 1}`);
  });
});

describe('evalSetFrom', () => {
  async function* later() {
    yield written('a');
    yield evalCase('b', [{ user: 'Hi' }]);
  }

  it.each([
    ['an async iterable', later],
    ['an iterable', () => new Set([written('a'), written('b')])],
    ['a list', () => [written('a'), written('b')]],
  ])('accepts cases from %s', async (_what, cases) => {
    expect((await evalSetFrom(cases())).value).toMatchObject({
      evalSetId: 'cases',
      evalCases: [{ evalId: 'a' }, { evalId: 'b' }],
    });
    expect((await evalSetFrom(cases(), 'mine')).value.evalSetId).toBe('mine');
  });

  it('accepts every format that a file may have', async () => {
    expect((await evalSetFrom({ eval_set_id: 's', eval_cases: [written('a')] }, 'mine')).value.evalSetId).toBe('s');
    expect((await evalSetFrom(turns, 'mine')).value.evalSetId).toBe('mine');
    expect((await evalSetFrom(turns)).value.evalSetId).toMatch(/^migrated_/);
  });

  it('loadEvalSet gives a legacy file the same ids as migrateEvalData', async () => {
    const file = join(folderOf({ 'greet.test.json': turns }), 'greet.test.json');
    const { evalSetId, evalCases } = (await loadEvalSet(file)).value;
    expect([evalSetId, evalCases[0]?.evalId]).toEqual(['greet', 'greet']);
    expect(migrateEvalData(turns, { file }).value.evalCases[0]?.evalId).toBe('greet');
  });

  it('throws only CriteriaError, whatever the cases contain', async () => {
    const key = fc.constantFrom(
      'eval_id',
      'evalId',
      'conversation',
      'query',
      'data',
      'name',
      'eval_cases',
      '__proto__',
      'x',
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (cases, iterated) => {
        const given = iterated && Array.isArray(cases) ? new Set(cases) : cases;
        await evalSetFrom(given, 'mine').catch((error: unknown) => {
          if (!CriteriaError.is(error)) throw error;
        });
      }),
    );
  });

  it('rethrows errors from an iterable', async () => {
    const broken = (function* () {
      yield written('a');
      throw new TypeError('no more');
    })();
    await expect(evalSetFrom(broken)).rejects.toThrow(new TypeError('no more'));
  });
});

describe('an initial session', () => {
  const dump = { id: 'x', app_name: 'home', user_id: 'me', state: { lamp: true }, events: [] };

  it('is used by cases without a session, in every format', async () => {
    const own = { app_name: 'own', user_id: 'own' };
    const folder = folderOf({
      'session.json': dump,
      'new.json': { eval_set_id: 's', eval_cases: [written('a'), { ...written('b'), session_input: own }] },
      'old.json': turns,
      'older.json': [
        { name: 'a', data: turns },
        { name: 'b', data: turns, initial_session: own },
      ],
    });
    const session = await loadInitialSession(join(folder, 'session.json'));
    expect(session).toEqual({ appName: 'home', userId: 'me', state: { lamp: true } });
    const inputs = async (name: string) =>
      withInitialSession(await loadEvalSet(join(folder, name)), session).value.evalCases.map(
        ({ sessionInput }) => sessionInput?.appName,
      );
    expect(await inputs('new.json')).toEqual(['home', 'own']);
    expect(await inputs('old.json')).toEqual(['home']);
    expect(await inputs('older.json')).toEqual(['home', 'own']);
  });

  it('is rejected if invalid, naming its file', async () => {
    const folder = folderOf({ 'a.json': { app_name: 5 }, 'empty.json': {} });
    const file = join(folder, 'a.json');
    await expect(loadInitialSession(file)).rejects.toMatchObject({ problems: [{ file, path: '$.app_name' }] });
    expect(await loadInitialSession(join(folder, 'empty.json'))).toBeNull();
  });
});
