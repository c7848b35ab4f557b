import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { BIN, FLAGS } from './__fixtures__/spawned.ts';

it.skipIf(process.platform === 'win32')(
  'an eval set that cannot be written completely is left unchanged',
  { timeout: 60_000 },
  async () => {
    const cases = Array.from({ length: 40 }, (_, index) => evalCase(`case ${index}`, turn('x'.repeat(1000), 'y')));
    const folder = folderOf({
      'agent.mjs': 'export const agent = (text) => text;',
      'home.evalset.json': evalSet('home', ...cases),
      'scenarios.json': { scenarios: [{ starting_prompt: 'p', conversation_plan: 'plan' }] },
      'session.json': { app_name: 'x', user_id: 'u', state: {} },
    });
    const before = readFileSync(join(folder, 'home.evalset.json'), 'utf8');
    const names = readdirSync(folder).sort();
    const files = ['--scenarios_file', 'scenarios.json', '--session_input_file', 'session.json'];
    const args = [...FLAGS, BIN, 'eval_set', 'add_eval_case', '.', 'home', ...files];
    // Simulates a full disk: no file can grow beyond this many blocks.
    const line = ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, ...args];
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
    const code = await new Promise((done) => {
      execFile('bash', line, { cwd: folder, env }, (error, _out, err) => done([error?.code ?? 0, err]));
    });
    expect(code).toEqual([expect.any(Number), expect.stringContaining('home.evalset.json')]);
    expect(code).not.toEqual([0, expect.anything()]);
    expect(readFileSync(join(folder, 'home.evalset.json'), 'utf8')).toBe(before);
    expect(readdirSync(folder).sort()).toEqual(names);
  },
);
