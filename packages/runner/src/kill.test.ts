// Long: kills many processes.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { RunCase } from '@agent-criteria/results';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../../test/bundled.ts';
import { folderOf } from '../../../test/folder.ts';
import { allRuns } from '../../../test/runs.ts';
import { openRun } from './run-folder/open-run.ts';

/** Milliseconds. A process that takes over the lease has to wait this long. */
const LEASE = 300;
// Run more of them by hand: KILLS=20 pnpm test packages/runner/src/kill.test.ts
const KILLS = Number(process.env.KILLS ?? (allRuns ? 5 : 1));
const SCRIPT = await bundled(fileURLToPath(new URL('./__fixtures__/killed-run.ts', import.meta.url)));
const OPTIONS = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning', SCRIPT];

/** Uses fixed seeds, so that failures can be reproduced. */
function random(seed: number): number {
  const x = Math.sin(seed + 1) * 10_000;
  return x - Math.floor(x);
}

interface Ended {
  readonly code: number | null;
  readonly killed: boolean;
  readonly output: string;
}

/**
 * The minimum number of bytes that a run still has to write when it is killed, so that it never ends before the kill.
 */
const SLACK = 20_000;

/**
 * Runs the process, and kills it once its inferences have reached this size, or later on a busy machine, but before the
 * run ends.
 */
function runProcess(folder: string, log: string, killAt: number | null, shell: string | null = null): Promise<Ended> {
  const given = killAt === null ? [folder, log] : [folder, log, String(killAt + SLACK)];
  const [command, args] =
    shell === null
      ? [process.execPath, [...OPTIONS, ...given]]
      : ['bash', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, ...OPTIONS, ...given]];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const watch = setInterval(() => {
      if (killAt !== null && sizeOf(join(folder, 'inferences.jsonl')) >= killAt) child.kill('SIGKILL');
    }, 1);
    child.on('close', (code, signal) => {
      clearInterval(watch);
      done({ code, killed: signal === 'SIGKILL', output });
    });
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** Lists the finished units: those whose inference was written completely and reached the end of the case. */
function finished(folder: string): string[] {
  return linesOf(join(folder, 'inferences.jsonl')).flatMap((line) => {
    const { setId, caseId, repeat, inference } = JSON.parse(line);
    return inference.ending.by === 'end-of-case' ? [JSON.stringify([setId, caseId, repeat])] : [];
  });
}

/** Returns a run's results without ids and times, which differ between runs. */
async function results(folder: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const one of openRun(folder).cases()) all.push(stripped(one));
  return all;
}

function stripped(one: RunCase): unknown {
  const own = new Set(['sessionId', 'startedAt', 'endedAt', 'duration', 'creationTimestamp', 'stack']);
  return JSON.parse(JSON.stringify(one, (key, value) => (own.has(key) ? undefined : value)));
}

/** Starts a run in its own process, which stops at a gate until the file `gate` exists. */
function runToGate(folder: string, log: string, gate: string, bytes: number) {
  const child = spawn(process.execPath, [...OPTIONS, folder, log, String(bytes), gate, String(LEASE)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, closed: once(child, 'close'), isThere: saying(child, 'at the gate'), outcome: lastLine(child) };
}

function saying(child: ChildProcessByStdio<null, Readable, null>, text: string): Promise<void> {
  return new Promise((done) => child.stdout.on('data', (chunk) => String(chunk).includes(text) && done()));
}

async function lastLine(child: ChildProcessByStdio<null, Readable, null>): Promise<Record<string, unknown>> {
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
}

async function stop(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  if (process.platform === 'linux') await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /);
}

/** Returns every file in a folder, with its contents and modification time. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file, `${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`];
    }),
  );
}

describe('a run that is killed', () => {
  let whole: { summary: unknown; cases: unknown[]; size: number };

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-kill-'));
    const { output, code } = await runProcess(join(folder, 'run'), join(folder, 'log'), null);
    expect(code).toBe(1);
    const outcome = JSON.parse(output.slice('begins\n'.length));
    whole = {
      summary: outcome.summary,
      cases: await results(join(folder, 'run')),
      size: sizeOf(join(folder, 'run', 'inferences.jsonl')),
    };
    rmSync(folder, { recursive: true });
  });

  it.each(Array.from({ length: KILLS }, (_, seed) => seed))(
    'ends with the same result once resumed (moment %i)',
    async (seed) => {
      const base = folderOf({});
      const folder = join(base, 'run');
      const first = await runProcess(folder, join(base, 'log-0'), random(seed) * whole.size * 0.8);
      const before = finished(folder);
      expect(first.killed).toBe(true);
      expect(existsSync(join(folder, 'lock'))).toBe(true);
      const second = await runProcess(folder, join(base, 'log-1'), null);
      expect(second.code).toBe(1);
      expect(JSON.parse(second.output.slice('begins\n'.length)).summary).toEqual(whole.summary);
      expect(await results(folder)).toEqual(whole.cases);
      // No finished unit ran twice, and every unfinished one ran.
      const again = new Set(linesOf(join(base, 'log-1')));
      expect(before.filter((unit) => again.has(unit))).toEqual([]);
      expect(again.size).toBeGreaterThanOrEqual(600 - before.length);
    },
  );

  it('ends with the same result after several kills', async () => {
    const base = folderOf({});
    const folder = join(base, 'run');
    for (let seed = 100; seed < 103; seed++) {
      const { killed } = await runProcess(folder, join(base, 'log'), ((seed - 99) / 4) * whole.size);
      expect(killed).toBe(true);
    }
    const { output } = await runProcess(folder, join(base, 'log'), null);
    expect(JSON.parse(output.slice('begins\n'.length)).summary).toEqual(whole.summary);
    expect(await results(folder)).toEqual(whole.cases);
  });

  it('ends with the same result after a file size limit stopped it', async ({ skip }) => {
    if (process.platform === 'win32') skip('needs a shell with ulimit');
    const base = folderOf({});
    const folder = join(base, 'run');
    const { code, output } = await runProcess(folder, join(base, 'log'), null, 'ulimit -f 64');
    expect(code).toBe(1);
    const outcome = JSON.parse(output.slice('begins\n'.length));
    expect(outcome).toMatchObject({ finished: false, problems: [{ code: 'WRITE_FAILED' }] });
    const before = finished(folder);
    expect(before.length).toBeGreaterThan(10);
    await runProcess(folder, join(base, 'log-1'), null);
    expect(await results(folder)).toEqual(whole.cases);
    const again = new Set(linesOf(join(base, 'log-1')));
    expect(before.filter((unit) => again.has(unit))).toEqual([]);
  });

  describe.skipIf(process.platform === 'win32')('after being suspended while another process takes over', () => {
    it('writes nothing if the other process has already ended', async () => {
      const base = folderOf({});
      const [folder, gate] = [join(base, 'run'), join(base, 'gate')];
      const first = runToGate(folder, join(base, 'log-0'), gate, whole.size / 3);
      await first.isThere;
      await stop(first.child.pid as number);
      const before = finished(folder);
      writeFileSync(gate, '');
      const second = runToGate(folder, join(base, 'log-1'), gate, whole.size);
      expect(await second.closed).toEqual([1, null]);
      expect(await results(folder)).toEqual(whole.cases);
      const again = new Set(linesOf(join(base, 'log-1')));
      expect(before.filter((unit) => again.has(unit))).toEqual([]);
      const left = contents(folder);
      first.child.kill('SIGCONT');
      const [code] = await first.closed;
      expect(code).not.toBe(0);
      expect(contents(folder)).toEqual(left);
      expect(await first.outcome).toMatchObject({
        finished: false,
        problems: [
          {
            code: 'RUN_LOCKED',
            file: expect.stringMatching(/lock$/),
            message: expect.stringContaining('no longer exists'),
          },
        ],
      });
    });

    it('writes nothing while the other process is still writing', async () => {
      const base = folderOf({});
      const [folder, gate] = [join(base, 'run'), join(base, 'gate')];
      const first = runToGate(folder, join(base, 'log-0'), gate, whole.size / 3);
      await first.isThere;
      await stop(first.child.pid as number);
      const second = runToGate(folder, join(base, 'log-1'), join(base, 'gate-1'), whole.size * (2 / 3));
      await second.isThere;
      writeFileSync(gate, '');
      first.child.kill('SIGCONT');
      const [code] = await first.closed;
      expect(code).not.toBe(0);
      const message = `process ${second.child.pid} has taken this run over (generation 2; this process had 1)`;
      expect(await first.outcome).toMatchObject({
        finished: false,
        problems: [{ code: 'RUN_LOCKED', message: expect.stringContaining(message) }],
      });
      writeFileSync(join(base, 'gate-1'), '');
      expect(await second.closed).toEqual([1, null]);
      expect(await second.outcome).toMatchObject({ finished: true, problems: [], summary: whole.summary });
      expect(await results(folder)).toEqual(whole.cases);
      expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([]);
    });
  });
});
