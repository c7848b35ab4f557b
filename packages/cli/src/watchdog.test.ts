// Long: waits for processes that hang.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const module = fileURLToPath(new URL('./watchdog.ts', import.meta.url));

function runScript(
  script: string,
): Promise<{ readonly signal: string | null; readonly out: string; readonly err: string }> {
  const code = `import { watchTheLoop } from ${JSON.stringify(module)};\n${script}`;
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code],
      (_error, out, err) => done({ signal: child.signalCode, out, err }),
    );
  });
}

it('the watchdog ends a process whose agent computes forever', async () => {
  const { signal, err } = await runScript(`
    watchTheLoop(-9500);
    setTimeout(() => { for (;;); }, 10);
  `);
  expect(signal).toBe('SIGKILL');
  expect(err).toContain('The agent has blocked this process for 0.5 s and cannot be interrupted');
});

it('the watchdog spares a process that recovers, and does not keep it alive', async () => {
  const { signal, out } = await runScript(`
    const watchdog = watchTheLoop(-9000);
    setTimeout(() => { console.log('done'); watchdog.end(); }, 1500);
  `);
  expect([signal, out]).toEqual([null, 'done\n']);
});

it('the watchdog spares a process that was suspended for longer, as on a sleeping machine', async ({ skip }) => {
  if (process.platform === 'win32') skip('needs signals that stop a process');
  const { signal, out } = await runScript(`
    import { spawn } from 'node:child_process';
    const watchdog = watchTheLoop(-9000);
    setTimeout(() => {
      spawn('sh', ['-c', 'sleep 1.3; kill -CONT ' + process.pid]);
      process.kill(process.pid, 'SIGSTOP');
      setTimeout(() => { console.log('done'); watchdog.end(); }, 300);
    }, 300);
  `);
  expect([signal, out]).toEqual([null, 'done\n']);
});

it('the watchdog guards a run with the turn timeout, until the run ends', async () => {
  const folder = folderOf({
    'agent.mjs': 'export const agent = () => "Hi";',
    'a.test.json': evalSet('s', evalCase('one', turn('Hi', 'Hi'))),
  });
  const told: unknown[] = [];
  const watchTheLoop = (turnTimeout?: number) => {
    told.push(turnTimeout);
    return { end: () => void told.push('ended') };
  };
  const args = ['eval', folder, join(folder, 'a.test.json'), '--turn_timeout', '12'];
  expect((await capture(args, { watchTheLoop })).code).toBe(0);
  expect(told).toEqual([12_000, 'ended']);
});
