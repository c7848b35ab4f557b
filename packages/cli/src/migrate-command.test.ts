import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEvalSet } from '@agent-criteria/formats/parse';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const turns = [
  {
    query: 'Is the pool open?',
    reference: 'Until eight.',
    expected_tool_use: [{ tool_name: 'hours', tool_input: { place: 'pool' } }],
    mock_tool_output: 'dropped',
  },
  { query: 'Thanks.' },
];
const cases = [
  { name: 'first', data: turns.slice(0, 1), initial_session: { app_name: 'own', user_id: 'u', state: { day: 1 } } },
  { name: 'second', data: turns.slice(1) },
];

const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

describe('agent-criteria migrate', () => {
  it('converts a legacy test file to an eval set, and reports what was left out', async () => {
    const folder = folderOf({ 'old.test.json': turns });
    const { code, out, err } = await capture([
      'migrate',
      join(folder, 'old.test.json'),
      join(folder, 'pool.test.json'),
    ]);
    expect(out).toContain('1 case, 2 turns from ');
    expect(out).toContain('a legacy test file');
    expect(err).toContain('mock_tool_output');
    expect(code).toBe(0);
    const written = read(folder, 'pool.test.json');
    expect(written.eval_set_id).toBe('pool');
    expect(written.eval_cases[0].eval_id).toBe('pool');
    expect(written.eval_cases[0].conversation[0].intermediate_data.tool_uses).toEqual([
      { name: 'hours', args: { place: 'pool' } },
    ]);
    expect(parseEvalSet(written).value.evalCases[0]?.conversation).toHaveLength(2);
    expect(readdirSync(folder).sort()).toEqual(['old.test.json', 'pool.test.json']);
  });

  it('converts a legacy eval set, and takes the session of cases without one from a file', async () => {
    const session = { app_name: 'given', user_id: 'v', state: { day: 2 }, events: [{ author: 'user' }] };
    const folder = folderOf({ 'old.json': cases, 'initial.session.json': session });
    const { code, err } = await capture([
      'migrate',
      join(folder, 'old.json'),
      join(folder, 'new/deep/pool.evalset.json'),
      '--initial-session-file',
      join(folder, 'initial.session.json'),
    ]);
    expect(code).toBe(0);
    expect(err).toContain(`${join(folder, 'initial.session.json')} $.events: the 1 earlier events`);
    const [first, second] = read(folder, 'new/deep/pool.evalset.json').eval_cases;
    expect([first.eval_id, first.session_input.app_name]).toEqual(['first', 'own']);
    expect([second.eval_id, second.session_input]).toEqual([
      'second',
      { app_name: 'given', user_id: 'v', state: { day: 2 } },
    ]);
  });

  it('rewrites an identical file silently, and overwrites a different one only with --force', async () => {
    const folder = folderOf({ 'old.json': turns });
    const args = ['migrate', join(folder, 'old.json'), join(folder, 'new.test.json')];
    expect((await capture(args)).code).toBe(0);
    expect((await capture(args)).out).toContain('(already existed)');
    writeFileSync(join(folder, 'new.test.json'), 'mine');
    const refused = await capture(args);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('new.test.json: this file already exists with different content');
    expect(readFileSync(join(folder, 'new.test.json'), 'utf8')).toBe('mine');
    expect((await capture([...args, '--force'])).code).toBe(0);
    expect(read(folder, 'new.test.json').eval_set_id).toBe('new');
  });

  it('migrates a folder, and leaves up-to-date files alone', async () => {
    const folder = folderOf({
      'old/a.test.json': turns,
      'old/deep/b.evalset.json': cases,
      'old/c.test.json': evalSet('c', evalCase('x', turn('Hi', 'Hi'))),
    });
    const { code, out } = await capture(['migrate', join(folder, 'old'), join(folder, 'new'), '--json']);
    const { migrated, left } = JSON.parse(out);
    expect(migrated.map(({ cases, written }: { cases: number; written: boolean }) => [cases, written])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(left).toEqual([join(folder, 'old/c.test.json')]);
    expect(read(folder, 'new/deep/b.evalset.json').eval_set_id).toBe('b');
    expect(existsSync(join(folder, 'new/c.test.json'))).toBe(false);
    expect(code).toBe(0);
  });

  it('writes nothing if anything is wrong, and reports every mistake', async () => {
    const folder = folderOf({ 'old/a.test.json': turns, 'old/b.test.json': [{ query: 5 }], 'old/c.test.json': '[' });
    const { code, out, err } = await capture(['migrate', join(folder, 'old'), join(folder, 'new')]);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain('b.test.json $[0].query: ');
    expect(err).toContain('c.test.json: this is not JSON');
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  const short = { user: 'Is it open?', answer: 'Until eight.', calls: [{ name: 'hours', args: { place: 'pool' } }] };
  const inShort = { eval_set_id: 'mine', about: 1, eval_cases: [{ eval_id: 'x', conversation: [short], mine: 2 }] };
  const inFull = {
    eval_set_id: 'mine',
    about: 1,
    eval_cases: [
      {
        eval_id: 'x',
        conversation: [
          {
            user_content: { role: 'user', parts: [{ text: 'Is it open?' }] },
            final_response: { role: 'model', parts: [{ text: 'Until eight.' }] },
            intermediate_data: { tool_uses: [{ name: 'hours', args: { place: 'pool' } }] },
          },
        ],
        mine: 2,
      },
    ],
  };

  it('rewrites short turns in ADK’s form, to another file or in place', async () => {
    const folder = folderOf({ 'a.evalset.json': inShort });
    const file = join(folder, 'a.evalset.json');
    const other = await capture(['migrate', file, join(folder, 'b.evalset.json')]);
    expect(other.out).toContain('1 case, 1 turn from ');
    expect(other.out).toContain('an eval set with turns in short');
    expect(read(folder, 'b.evalset.json')).toEqual(inFull);
    expect(read(folder, 'a.evalset.json')).toEqual(inShort);
    const { code, out, err } = await capture(['migrate', file]);
    expect([code, err.replace(folder, 'DIR'), out.replace(folder, 'DIR')]).toEqual([
      0,
      'warning: DIR/a.evalset.json $.about: unknown key "about", kept, but ADK drops it\n',
      "DIR/a.evalset.json: 1 case, 1 turn, now in ADK's form\n",
    ]);
    expect(read(folder, 'a.evalset.json')).toEqual(inFull);
    const again = await capture(['migrate', file]);
    expect([again.code, again.out.replace(folder, 'DIR')]).toEqual([
      0,
      'DIR/a.evalset.json: already an eval set, not changed\n',
    ]);
  });

  it('rewrites the sets in a folder that have short turns', async () => {
    const full = evalSet('c', evalCase('x', turn('Hi', 'Hi')));
    const folder = folderOf({ 'a.evalset.json': inShort, 'deep/b.test.json': full });
    const { code, out } = await capture(['migrate', folder, '--json']);
    expect(code).toBe(0);
    const { migrated, left } = JSON.parse(out);
    expect(migrated).toMatchObject([{ from: join(folder, 'a.evalset.json'), format: 'short-turns', written: true }]);
    expect(left).toEqual([join(folder, 'deep/b.test.json')]);
    expect(read(folder, 'a.evalset.json')).toEqual(inFull);
    expect(read(folder, 'deep/b.test.json')).toEqual(full);
  });

  it('discards comments in a file rewritten in place only with --force', async () => {
    const folder = folderOf({ 'a.evalset.json': '' });
    const file = join(folder, 'a.evalset.json');
    writeFileSync(file, `// Mine.\n${JSON.stringify(inShort)}`);
    const { code, err } = await capture(['migrate', file]);
    expect(err).toContain('a.evalset.json: this file has comments, which would be lost');
    expect(code).toBe(2);
    expect(readFileSync(file, 'utf8')).toMatch(/^\/\/ Mine/);
    expect((await capture(['migrate', file, '--force'])).code).toBe(0);
    expect(read(folder, 'a.evalset.json')).toEqual(inFull);
    writeFileSync(file, JSON.stringify({ ...inShort, about: 0 }).replace('"about":0', '"about":12345678901234567890'));
    expect((await capture(['migrate', file])).err).toContain('integers beyond 2^53, which would change');
  });

  it.each([
    [['migrate'], 'name the old file and the new one'],
    [['migrate', 'DIR/old.json'], 'old.json: only eval sets can be rewritten in place; name the new file as well'],
    [['migrate', 'DIR/bad.json'], 'bad.json: only eval sets can be rewritten in place'],
    [['migrate', 'DIR/short.json'], 'short.json $.eval_cases[0].conversation[0].user: expected text'],
    [['migrate', 'none.json', 'new.json'], 'none.json: there is no such file or folder'],
    [['migrate', 'DIR/set.json', 'DIR/new.json'], 'this is an eval set already'],
    [['migrate', 'DIR/old.json', 'DIR/new.json', '--initial_session_file', 'DIR/none'], 'none: there is no such file'],
    [['migrate', 'DIR/old.json', 'DIR/new.json', '--initial_session_file', 'DIR/bad.json'], 'bad.json $.app_name: '],
  ])('rejects %j', async (args, told) => {
    const folder = folderOf({
      'old.json': turns,
      'set.json': evalSet('s', evalCase('x', turn('Hi', 'Hi'))),
      'bad.json': { app_name: 5 },
      'short.json': { eval_set_id: 's', eval_cases: [{ eval_id: 'x', conversation: [{ user: 5 }] }] },
    });
    const { code, err } = await capture(args.map((arg) => arg.replace('DIR', folder)));
    expect(err).toContain(told);
    expect(code).toBe(2);
  });

  it('warns if the new file has a name that a search of its folder would not find', async () => {
    const folder = folderOf({ 'old.json': turns });
    const { code, err } = await capture(['migrate', join(folder, 'old.json'), join(folder, 'new.json')]);
    expect(err).toContain('rename it to *.evalset.json or *.test.json');
    expect(code).toBe(0);
  });

  it('reports a file that cannot be written', async () => {
    const folder = folderOf({ 'old.json': turns });
    mkdirSync(join(folder, 'taken.test.json'));
    const { code, err } = await capture([
      'migrate',
      join(folder, 'old.json'),
      join(folder, 'taken.test.json'),
      '--force',
    ]);
    expect(err).toContain('taken.test.json: this file cannot be written');
    expect(code).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['old.json', 'taken.test.json']);
  });
});
