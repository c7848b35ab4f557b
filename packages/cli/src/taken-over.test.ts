import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const set = evalSet('s', evalCase('right', turn('a', 'a')));

/** An agent during whose turn another process takes over the run. */
const agent = (takeOver: string) => `import { readdirSync, rmSync, writeFileSync } from 'node:fs';
  export const agent = (text) => {
    const runs = new URL('.agent-criteria/runs/', import.meta.url);
    const lock = new URL(readdirSync(runs)[0] + '/lock', runs);
    ${takeOver};
    return text;
  };`;

it.each([
  [
    'and has ended',
    'rmSync(lock)',
    'the lease of this run no longer exists: another process took the run over and has ended',
  ],
  [
    'and writes it',
    `writeFileSync(lock, '{"pid":7,"host":"elsewhere","id":"of another","generation":2,"lease":30000}')`,
    'process 7 on the machine "elsewhere" has taken this run over (generation 2; this process had 1)',
  ],
])(
  'a run that another process has taken over %s exits with 3, and only the other process reports it',
  async (_, code, message) => {
    const folder = folderOf({ 'agent.mjs': agent(code), 'a.test.json': set });
    const at = (file: string) => join(folder, file);
    const flags = ['--runs_folder', at('.agent-criteria/runs'), '--output', at('report.csv')];
    const ended = await capture(['eval', at('agent.mjs'), at('a.test.json'), ...flags]);
    expect(ended.err).toContain(message);
    expect(ended.out).not.toContain('passed');
    expect([ended.code, existsSync(join(folder, 'report.csv'))]).toEqual([3, false]);
    const runs = join(folder, '.agent-criteria', 'runs');
    expect(existsSync(join(runs, readdirSync(runs)[0] ?? '', 'scorings', '1', 'summary.json'))).toBe(false);
  },
  60_000,
);

it('a run that another machine may still be writing is awaited, and listed as running until its lease expires', async () => {
  const folder = folderOf({ 'agent.mjs': 'export const agent = (text) => text;', 'a.test.json': set });
  const runs = join(folder, 'runs');
  const command = (...args: string[]) => capture([...args, '--runs_folder', runs]);
  await command('eval', join(folder, 'agent.mjs'), join(folder, 'a.test.json'));
  const [id = ''] = readdirSync(runs);
  const scores = join(runs, id, 'scorings', '1', 'scores.jsonl');
  writeFileSync(scores, '');
  const lock = join(runs, id, 'lock');
  const holder = { pid: 7, host: 'elsewhere', id: 'of another', generation: 1 };
  writeFileSync(lock, JSON.stringify({ ...holder, lease: 30_000 }));
  expect((await command('runs')).out).toContain('running, 0 of 1 done');
  const before = new Date(Date.now() - 3_600_000);
  utimesSync(lock, before, before);
  expect((await command('runs')).out).toContain('unfinished, 0 of 1 done');

  writeFileSync(lock, JSON.stringify({ ...holder, lease: 20 }));
  const { code, out, err } = await command('resume', id);
  expect(err).toBe(
    'Process 7 on the machine "elsewhere" may still be writing this run: waiting up to 0.02 s to find out.\n',
  );
  expect([code, out]).toEqual([0, expect.stringContaining('1 passed of 1 case')]);
  expect((await command('runs')).out).toContain('finished');
  expect([existsSync(lock), readFileSync(scores, 'utf8').length > 0]).toEqual([false, true]);
});
