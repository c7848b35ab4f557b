import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalCase } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { createEvalSet } from './create-eval-set.ts';
import { addCases, findCase, readEvalSetFile, removeCase, replaceCase, saveSet } from './eval-set-file.ts';
import { listEvalSets } from './list-eval-sets.ts';
import { removeEvalSet } from './remove-eval-set.ts';
import { renameEvalSet } from './rename-eval-set.ts';

const turn = (text: string) => ({ user_content: { parts: [{ text }] } });
const set = {
  eval_set_id: 's',
  mine: { kept: true },
  eval_cases: [
    { eval_id: 'a', conversation: [turn('Hi')], mine: 1 },
    { eval_id: 'b', conversation: [turn('Bye')] },
  ],
};
const evalCase = (evalId: string, text = 'New'): EvalCase => ({
  evalId,
  conversation: [{ userContent: { role: 'user', parts: [{ text }] } }],
});

function fileOf(content: unknown): string {
  return join(folderOf({ 's.evalset.json': content }), 's.evalset.json');
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const idsIn = (file: string) => read(file).eval_cases.map((one: { eval_id: string }) => one.eval_id);

describe('an eval set file', () => {
  it('applies several edits in a row and preserves unknown fields', async () => {
    const file = fileOf(set);
    let current = await readEvalSetFile(file);
    current = await addCases(current, [evalCase('c')]);
    expect(idsIn(file)).toEqual(['a', 'b', 'c']);
    current = await replaceCase(current, 'b', evalCase('better'));
    expect(idsIn(file)).toEqual(['a', 'better', 'c']);
    current = await removeCase(current, 'c');
    expect(idsIn(file)).toEqual(['a', 'better']);
    expect(read(file)).toMatchObject({ mine: { kept: true }, eval_cases: [{ mine: 1 }, {}] });
    expect(current).toEqual(await readEvalSetFile(file));
  });

  it('rejects an edit if another program has changed the file', async () => {
    const file = fileOf(set);
    const before = await readEvalSetFile(file);
    writeFileSync(file, JSON.stringify({ ...set, name: 'theirs' }));
    await expect(addCases(before, [evalCase('c')])).rejects.toThrow('the file has changed since it was read');
    expect(read(file)).toMatchObject({ name: 'theirs', eval_cases: [{}, {}] });
    // A change to the layout alone is not a conflict.
    const again = await readEvalSetFile(file);
    writeFileSync(file, JSON.stringify(read(file), null, 4));
    await addCases(again, [evalCase('c')]);
    expect(idsIn(file)).toEqual(['a', 'b', 'c']);
  });

  it('rejects duplicate, unknown and invalid cases', async () => {
    const file = fileOf(set);
    const current = await readEvalSetFile(file);
    await expect(addCases(current, [evalCase('b')])).rejects.toMatchObject({ code: 'DUPLICATE_ID' });
    await expect(addCases(current, [evalCase('c'), evalCase('c')])).rejects.toMatchObject({ code: 'DUPLICATE_ID' });
    await expect(replaceCase(current, 'a', evalCase('b'))).rejects.toMatchObject({ code: 'DUPLICATE_ID' });
    await expect(replaceCase(current, 'aa', evalCase('c'))).rejects.toThrow('no case "aa"');
    await expect(addCases(current, [{ evalId: 'c', conversation: [] }])).rejects.toThrow('conversation');
    expect(read(file)).toEqual(set);
    expect(findCase(current, 'a').evalId).toBe('a');
    expect(() => findCase(current, 'zzz')).toThrow('it has: a, b');
  });

  it("preserves short turns in unchanged cases and writes changed cases in ADK's form", async () => {
    const short = (text: string) => ({ user: text, answer: 'Hello', calls: [] });
    const a = { eval_id: 'a', conversation: [short('Hi'), turn('More')], mine: 1 };
    const b = { eval_id: 'b', conversation: [short('Bye')] };
    const file = fileOf({ eval_set_id: 's', eval_cases: [a, b], mine: { kept: true } });
    let current = await addCases(await readEvalSetFile(file), [evalCase('c')]);
    expect(read(file).eval_cases.slice(0, 2)).toEqual([a, b]);
    expect(Object.keys(read(file))).toEqual(['eval_set_id', 'eval_cases', 'mine']);
    expect(read(file).eval_cases[2].conversation[0]).toEqual({
      user_content: { role: 'user', parts: [{ text: 'New' }] },
    });
    const changed = { ...findCase(current, 'a'), finalSessionState: {} };
    current = await replaceCase(current, 'a', changed);
    expect(read(file).eval_cases.slice(0, 2)).toEqual([
      {
        eval_id: 'a',
        conversation: [
          {
            user_content: { role: 'user', parts: [{ text: 'Hi' }] },
            final_response: { role: 'model', parts: [{ text: 'Hello' }] },
            intermediate_data: { tool_uses: [] },
          },
          turn('More'),
        ],
        mine: 1,
        final_session_state: {},
      },
      b,
    ]);
    await removeCase(current, 'a');
    expect(read(file).eval_cases[0]).toEqual(b);
  });

  it('reads a legacy format and saves it as an eval set after an edit', async () => {
    const file = fileOf([{ name: 'x', data: [{ query: 'Hi' }] }]);
    await expect(readEvalSetFile(file)).rejects.toThrow('migrate');
    const old = await readEvalSetFile(file, { legacyId: 's' });
    expect(old.value.evalCases.map(({ evalId }) => evalId)).toEqual(['x']);
    const saved = await addCases(old, [evalCase('c')]);
    expect(read(file)).toMatchObject({ eval_set_id: 's', eval_cases: [{ eval_id: 'x' }, { eval_id: 'c' }] });
    await removeCase(saved, 'x');
    expect(idsIn(file)).toEqual(['c']);
    await expect(addCases(old, [evalCase('d')])).rejects.toThrow('the file has changed since it was read');
  });

  it('saves set fields, and renames and deletes a set', async () => {
    const folder = folderOf({ 's.evalset.json': { ...set, name: 's' }, 'other.evalset.json': set });
    const file = join(folder, 's.evalset.json');
    const first = await readEvalSetFile(file);
    const described = await saveSet(first, { ...first.value, description: 'All about s.' });
    await expect(saveSet(first, first.value)).rejects.toThrow('the file has changed since it was read');
    await expect(renameEvalSet(described, 'a/b')).rejects.toThrow('not a valid eval set id');
    await expect(renameEvalSet(described, 'other')).rejects.toThrow('there already is an eval set "other"');
    expect(existsSync(file)).toBe(true);
    const renamed = await renameEvalSet(described, 'better');
    expect(existsSync(file)).toBe(false);
    expect(renamed.file).toBe(join(folder, 'better.evalset.json'));
    const expected = { ...set, eval_set_id: 'better', name: 'better', description: 'All about s.' };
    expect(read(renamed.file)).toEqual(expected);
    await removeEvalSet(renamed);
    expect(existsSync(renamed.file)).toBe(false);
  });
});

describe('createEvalSet and listEvalSets', () => {
  it('create an empty set in the agent folder and list it', async () => {
    const folder = folderOf({ 'agent.ts': '', 'bad.evalset.json': '{' });
    const created = await createEvalSet({ agent: join(folder, 'agent.ts'), id: 'mine' });
    expect(created.value).toMatchObject({ evalSetId: 'mine', evalCases: [] });
    await expect(createEvalSet({ agent: folder, id: 'mine' })).rejects.toThrow('this eval set already exists');
    const { sets, problems } = await listEvalSets(folder);
    expect(sets).toEqual([
      { id: 'bad', file: join(folder, 'bad.evalset.json'), cases: null },
      { id: 'mine', file: join(folder, 'mine.evalset.json'), cases: 0 },
    ]);
    expect(problems).toMatchObject([{ code: 'NOT_JSON' }]);
  });
});

describe('concurrent edits of an eval set file', () => {
  it('never lose an edit: one write succeeds and the others are rejected', async () => {
    const file = fileOf(set);
    let refused = 0;
    const written: string[] = [];
    const editor = async (name: string) => {
      for (let round = 0; round < 30; round += 1) {
        const id = `${name}${round}`;
        try {
          await addCases(await readEvalSetFile(file), [evalCase(id)]);
          written.push(id);
        } catch (error) {
          expect(error).toMatchObject({ code: 'WRITE_FAILED', message: expect.stringContaining('has changed') });
          refused += 1;
        }
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(editor));
    expect(idsIn(file).toSorted()).toEqual(['a', 'b', ...written].toSorted());
    expect(written.length + refused).toBe(120);
    expect(refused).toBeGreaterThan(0);
  });
});
