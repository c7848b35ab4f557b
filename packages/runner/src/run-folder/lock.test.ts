import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { allRuns } from '../../../../test/runs.ts';
import { lockFolder } from './lock.ts';

// More rounds are run by hand: KILLS=40 pnpm test packages/runner/src/run-folder/lock.test.ts
const ROUNDS = Number(process.env.KILLS ?? (allRuns ? 2 : 1));
const SCRIPT = fileURLToPath(new URL('../__fixtures__/locking.ts', import.meta.url));
const OPTIONS = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning', SCRIPT];

it('lets one process in at a time, also when others die with the lock in their hands', async () => {
  const base = folderOf({ log: '' });
  const [folder, log] = [join(base, 'run'), join(base, 'log')];
  mkdirSync(folder);
  for (let round = 0; round < ROUNDS; round++) {
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, [...OPTIONS, folder, log], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const ended = children.map((child) => once(child, 'close'));
    // They begin together, as soon as the last of them is ready.
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.stdin.end();
    await Promise.all(ended);
  }
  expect([...new Set(readFileSync(log, 'utf8').split('\n'))].sort()).toEqual(['', 'held']);
  lockFolder(folder)();
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);

it('takes over what a process left that died while it took over', () => {
  const folder = folderOf({});
  const dead = (id: string) => `${JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), id })}\n`;
  writeFileSync(join(folder, 'lock'), dead('first'));
  // A claim is named for the content of what it claims.
  writeFileSync(join(folder, `lock.${hash('sha256', dead('first')).slice(0, 16)}`), dead('second'));
  const unlock = lockFolder(folder);
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(() => lockFolder(folder)).toThrow('this process writes this run already');
  unlock();
  expect(readdirSync(folder)).toEqual([]);
});

it('takes over what a killed process left that its parent never asked for', async ({ skip }) => {
  if (process.platform !== 'linux') skip('needs /proc');
  const folder = folderOf({});
  // The shell becomes a program that waits for no child.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const pid = Number(await new Promise((done) => parent.stdout.once('data', done)));
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid, host: hostname() }));
    expect(() => lockFolder(folder)).toThrow(`the process ${pid} writes this run`);
    // A shell would ask for it; the program that it becomes does not.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    lockFolder(folder)();
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    parent.kill('SIGKILL');
  }
});

it('leaves a lock alone that another process has taken meanwhile', () => {
  const folder = folderOf({});
  const unlock = lockFolder(folder);
  writeFileSync(join(folder, 'lock'), 'of somebody else');
  unlock();
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe('of somebody else');
});
