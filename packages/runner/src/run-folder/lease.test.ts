// Long: starts processes and waits for leases.
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { allRuns } from '../../../../test/runs.ts';
import { isWritten, takeLease } from './lease.ts';
import { thisProcess } from './lock-owner.ts';

// Run more rounds by hand: KILLS=40 pnpm test packages/runner/src/run-folder/lease.test.ts
const ROUNDS = Number(process.env.KILLS ?? (allRuns ? 2 : 1));
const SCRIPT = fileURLToPath(new URL('../__fixtures__/locking.ts', import.meta.url));
const NODE = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning'];

/** Does not wait for an owner that may still be alive. */
const atOnce = { signal: AbortSignal.abort() };
const elsewhere = { pid: 1, host: 'elsewhere', id: 'of another', generation: 2, lease: 40 };

function write(folder: string, holder: object): string {
  const file = join(folder, 'lock');
  writeFileSync(file, `${JSON.stringify(holder)}\n`);
  return file;
}

/** Blocks this process for at least this long. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

it('takeLease() admits one process at a time, even if others end while holding the lease', async () => {
  const base = folderOf({ log: '' });
  const [folder, log] = [join(base, 'run'), join(base, 'log')];
  mkdirSync(folder);
  for (let round = 0; round < ROUNDS; round++) {
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, [...NODE, SCRIPT, folder, log], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const ended = children.map((child) => once(child, 'close'));
    // They all start together, once the last of them is ready.
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.stdin.end();
    await Promise.all(ended);
  }
  expect([...new Set(readFileSync(log, 'utf8').split('\n'))].sort()).toEqual(['', 'held']);
  (await takeLease(folder, atOnce)).release();
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);

it('takeLease() takes over from a process that ended during its own takeover', async () => {
  const folder = folderOf({});
  const dead = (id: string) => `${JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), id })}\n`;
  writeFileSync(join(folder, 'lock'), dead('first'));
  // A claim is named after the content of the lease that it claims.
  writeFileSync(join(folder, `lock.${hash('sha256', dead('first')).slice(0, 16)}`), dead('second'));
  const lease = await takeLease(folder, atOnce);
  expect(readdirSync(folder)).toEqual(['lock']);
  await expect(takeLease(folder)).rejects.toThrow('this process is already writing this run');
  lease.release();
  expect(readdirSync(folder)).toEqual([]);
});

it('takeLease() takes over from a zombie process immediately', async ({ skip }) => {
  if (process.platform !== 'linux') skip('needs /proc');
  const folder = folderOf({});
  // The shell replaces itself with a program that does not wait for its children.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const pid = Number(await new Promise((done) => parent.stdout.once('data', done)));
    write(folder, { pid, host: hostname() });
    await expect(takeLease(folder, atOnce)).rejects.toThrow(`process ${pid} may still be writing this run`);
    // A shell would collect the child's exit status, but the program that replaced it does not.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    (await takeLease(folder, atOnce)).release();
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    parent.kill('SIGKILL');
  }
});

it('takeLease() takes over immediately if the process id was reused', async ({ skip }) => {
  if (process.platform !== 'linux') skip('needs /proc');
  const folder = folderOf({});
  const before = { ...thisProcess(), pid: process.ppid, generation: 3 };
  write(folder, { ...before, started: '1' });
  expect(isWritten(folder)).toBe(false);
  const lease = await takeLease(folder, atOnce);
  expect(lease.generation).toBe(4);
  lease.release();
});

it('takeLease() does not confuse processes of different containers', async () => {
  const folder = folderOf({});
  const { system } = thisProcess();
  write(folder, { ...thisProcess(), pid: 2 ** 22 + 1, generation: 1, system: `another ${system}` });
  if (system !== undefined) await expect(takeLease(folder, atOnce)).rejects.toMatchObject({ code: 'RUN_LOCKED' });
});

it.each([
  ['another machine', elsewhere],
  ['a living process that does nothing', { ...elsewhere, pid: process.ppid, host: hostname() }],
])('takeLease() takes over from %s once its lease has expired', async (_who, holder) => {
  const folder = folderOf({});
  write(folder, holder);
  const waits: unknown[] = [];
  const lease = await takeLease(folder, { onWait: (wait) => waits.push(wait) });
  expect(lease.generation).toBe(3);
  expect(waits).toEqual([
    expect.objectContaining({ atMost: 40, holder: expect.stringContaining(`process ${holder.pid}`) }),
  ]);
  lease.release();
  expect(readdirSync(folder)).toEqual([]);
});

it('takeLease() respects an owner on another machine that renews its lease, whatever its clock says', async () => {
  const folder = folderOf({});
  const file = write(folder, elsewhere);
  const long = new Date(0);
  await expect(takeLease(folder, { onWait: () => utimesSync(file, long, long) })).rejects.toThrow(
    'process 1 on the machine "elsewhere" is writing this run; wait until it has finished, or stop it',
  );
  expect(readdirSync(folder)).toEqual(['lock']);
});

it('a lease is renewed regularly', async () => {
  const folder = folderOf({});
  const lease = await takeLease(folder, { lease: 50 });
  const file = join(folder, 'lock');
  const long = new Date(0);
  utimesSync(file, long, long);
  expect(readFileSync(file, 'utf8')).toContain('"lease":50');
  await expect.poll(() => readdirSync(folder).length === 1 && isFresh(file)).toBe(true);
  lease.release();
});

function isFresh(file: string): boolean {
  return statSync(file).mtimeMs > 1000;
}

it('a lease is renewed by writes while the event loop is blocked', async () => {
  const folder = folderOf({});
  const lease = await takeLease(folder, { lease: 50 });
  const file = join(folder, 'lock');
  const long = new Date(0);
  utimesSync(file, long, long);
  block(10);
  lease.check();
  expect(isFresh(file)).toBe(true);
  lease.release();
});

it('a lease is lost when another process takes it over, which the next check reports', async () => {
  const folder = folderOf({});
  const lease = await takeLease(folder, { lease: 50 });
  write(folder, elsewhere);
  block(10);
  expect(() => lease.check()).toThrow(
    'process 1 on the machine "elsewhere" has taken this run over (generation 2; this process had 1), because this process did not renew its lease for 0.05 s; wait until the other process has finished. This process writes nothing more',
  );
  expect(lease.lost.reason).toMatchObject({ code: 'RUN_LOCKED', problems: [{ file: join(folder, 'lock') }] });
  lease.release();
  expect(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))).toEqual(elsewhere);
});

it('a lease is lost when its file disappears, even without a write', async () => {
  const folder = folderOf({});
  const lease = await takeLease(folder, { lease: 50 });
  rmSync(join(folder, 'lock'));
  await once(lease.lost, 'abort');
  expect(() => lease.release()).toThrow('the lease of this run no longer exists');
  expect(readdirSync(folder)).toEqual([]);
});

it('a lease does not keep the process running', async () => {
  const folder = folderOf({});
  const url = pathToFileURL(fileURLToPath(new URL('./lease.ts', import.meta.url))).href;
  const code = `import { takeLease } from ${JSON.stringify(url)}; await takeLease(${JSON.stringify(folder)});`;
  const child = spawn(process.execPath, [...NODE, '--input-type=module', '--eval', code], { stdio: 'inherit' });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(isWritten(folder)).toBe(false);
});

it('isWritten() is true while the lease is renewed', async () => {
  const folder = folderOf({});
  expect(isWritten(folder)).toBe(false);
  const file = write(folder, { ...elsewhere, lease: 30_000 });
  expect(isWritten(folder)).toBe(true);
  const before = new Date(Date.now() - 3_600_000);
  utimesSync(file, before, before);
  expect(isWritten(folder)).toBe(false);
});
