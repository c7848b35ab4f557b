// Competes with many other such processes for one folder: `node locking.ts FOLDER LOG`. Starts when its standard input
// closes. Some of the processes die while holding the folder.
import { appendFileSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { takeLease } from '../run-folder/lease.ts';

const [folder = '', log = ''] = process.argv.slice(2);
const inside = join(folder, 'inside');
const pause = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

process.stdout.write('ready\n');
readFileSync(0);
for (let count = 0; count < 300; count++) {
  try {
    // Do not wait for an owner that may still be alive.
    const lease = await takeLease(folder, { signal: AbortSignal.abort() });
    try {
      mkdirSync(inside);
    } catch {
      appendFileSync(log, 'two at once\n');
    }
    pause(Math.random());
    rmdirSync(inside);
    appendFileSync(log, 'held\n');
    if (Math.random() < 0.3) process.kill(process.pid, 'SIGKILL');
    lease.release();
  } catch (error) {
    if (!CriteriaError.is(error) || error.code !== 'RUN_LOCKED') appendFileSync(log, `${error}\n`);
  }
}
