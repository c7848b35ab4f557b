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

// More rounds are run by hand: KILLS=40 pnpm test packages/runner/src/run-folder/lease.test.ts
const ROUNDS = Number(process.env.KILLS ?? (allRuns ? 2 : 1));
const SCRIPT = fileURLToPath(new URL('../__fixtures__/locking.ts', import.meta.url));
const NODE = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning'];

/** Who may live is not waited for. */
const atOnce = { signal: AbortSignal.abort() };
const elsewhere = { pid: 1, host: 'elsewhere', id: 'of another', generation: 2, lease: 40 };

function write(folder: string, holder: object): string {
  const file = join(folder, 'lock');
  writeFileSync(file, `${JSON.stringify(holder)}\n`);
  return file;
}

/** At least so long, and nothing else happens in this process. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

it('lets one process in at a time, also when others die with the lease in their hands', async () => {
  const base = folderOf({ log: '' });
  const [folder, log] = [join(base, 'run'), join(base, 'log')];
  mkdirSync(folder);
  for (let round = 0; round < ROUNDS; round++) {
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, [...NODE, SCRIPT, folder, log], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const ended = children.map((child) => once(child, 'close'));
    // They begin together, as soon as the last of them is ready.
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.stdin.end();
    await Promise.all(ended);
  }
  expect([...new Set(readFileSync(log, 'utf8').split('\n'))].sort()).toEqual(['', 'held']);
  (await takeLease(folder, atOnce)).release();
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);

it('takes over what a process left that died while it took over', async () => {
  const folder = folderOf({});
  const dead = (id: string) => `${JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), id })}\n`;
  writeFileSync(join(folder, 'lock'), dead('first'));
  // A claim is named for the content of what it claims.
  writeFileSync(join(folder, `lock.${hash('sha256', dead('first')).slice(0, 16)}`), dead('second'));
  const lease = await takeLease(folder, atOnce);
  expect(readdirSync(folder)).toEqual(['lock']);
  await expect(takeLease(folder)).rejects.toThrow('this process is already writing this run');
  lease.release();
  expect(readdirSync(folder)).toEqual([]);
});

it('takes over at once what a killed process left that its parent never asked for', async ({ skip }) => {
  if (process.platform !== 'linux') skip('needs /proc');
  const folder = folderOf({});
  // The shell becomes a program that waits for no child.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const pid = Number(await new Promise((done) => parent.stdout.once('data', done)));
    write(folder, { pid, host: hostname() });
    await expect(takeLease(folder, atOnce)).rejects.toThrow(`process ${pid} may still be writing this run`);
    // A shell would ask for it; the program that it becomes does not.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    (await takeLease(folder, atOnce)).release();
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    parent.kill('SIGKILL');
  }
});

it('takes over at once from a process whose number another one has now', async ({ skip }) => {
  if (process.platform !== 'linux') skip('needs /proc');
  const folder = folderOf({});
  const before = { ...thisProcess(), pid: process.ppid, generation: 3 };
  write(folder, { ...before, started: '1' });
  expect(isWritten(folder)).toBe(false);
  const lease = await takeLease(folder, atOnce);
  expect(lease.generation).toBe(4);
  lease.release();
});

it('does not take a process of another container for one of its own', async () => {
  const folder = folderOf({});
  const { system } = thisProcess();
  write(folder, { ...thisProcess(), pid: 2 ** 22 + 1, generation: 1, system: `another ${system}` });
  if (system !== undefined) await expect(takeLease(folder, atOnce)).rejects.toMatchObject({ code: 'RUN_LOCKED' });
});

it.each([
  ['another machine', elsewhere],
  ['a living process that does nothing', { ...elsewhere, pid: process.ppid, host: hostname() }],
])('takes over what %s does not renew, as soon as the lease it was given has expired', async (_who, holder) => {
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

it('leaves the folder to a holder on another machine who renews the lease, whatever the clock there says', async () => {
  const folder = folderOf({});
  const file = write(folder, elsewhere);
  const long = new Date(0);
  await expect(takeLease(folder, { onWait: () => utimesSync(file, long, long) })).rejects.toThrow(
    'process 1 on the machine "elsewhere" is writing this run; wait until it has finished, or stop it',
  );
  expect(readdirSync(folder)).toEqual(['lock']);
});

it('renews its lease, so that others see it alive', async () => {
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

it('is renewed by writing where the event loop stands still', async () => {
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

it('is lost when another process has taken it, which is found before the next write, and told once', async () => {
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

it('is lost when the other has ended again, and a process that writes nothing learns it too', async () => {
  const folder = folderOf({});
  const lease = await takeLease(folder, { lease: 50 });
  rmSync(join(folder, 'lock'));
  await once(lease.lost, 'abort');
  expect(() => lease.release()).toThrow('the lease of this run no longer exists');
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps no process alive', async () => {
  const folder = folderOf({});
  const url = pathToFileURL(fileURLToPath(new URL('./lease.ts', import.meta.url))).href;
  const code = `import { takeLease } from ${JSON.stringify(url)}; await takeLease(${JSON.stringify(folder)});`;
  const child = spawn(process.execPath, [...NODE, '--input-type=module', '--eval', code], { stdio: 'inherit' });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(isWritten(folder)).toBe(false);
});

it('is seen by readers as long as it is renewed', async () => {
  const folder = folderOf({});
  expect(isWritten(folder)).toBe(false);
  const file = write(folder, { ...elsewhere, lease: 30_000 });
  expect(isWritten(folder)).toBe(true);
  const before = new Date(Date.now() - 3_600_000);
  utimesSync(file, before, before);
  expect(isWritten(folder)).toBe(false);
});
