import { Worker } from 'node:worker_threads';

/** Milliseconds allowed beyond the turn timeout, for work between two turns. */
const GRACE = 10_000;
/** Heartbeat interval in milliseconds. */
const BEAT = 250;
/**
 * Consecutive checks that must find the process blocked, so that a machine that slept or was busy has time to recover.
 */
const LOOKS = 4;

/**
 * Ends the process if its event loop is blocked for longer than a turn may take. An agent that computes without a pause
 * blocks timers and Ctrl-C, and nothing in this thread could stop it. The run is saved and can be resumed.
 */
export function watchTheLoop(turnTimeout: number): { end(): void } {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT);
  timer.unref();
  const workerData = { beats, most: turnTimeout + GRACE, looks: LOOKS, pid: process.pid };
  // Flags of this process, such as --input-type, would change how the code below is parsed.
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData });
  worker.unref();
  // If the worker fails, the run continues without a watchdog.
  worker.on('error', () => undefined);
  return {
    end() {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}

/**
 * The worker's code, in CommonJS, as `eval` expects. It writes to file descriptors, because streams need the main
 * thread.
 */
const WATCH = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { beats, most, looks, pid } = workerData;
for (let seen = -1, busy = 0; ; ) {
  const now = Atomics.load(beats, 0);
  busy = now === seen ? busy + 1 : 0;
  seen = now;
  if (busy < looks) {
    Atomics.wait(beats, 0, now, most / looks);
    continue;
  }
  try {
    writeSync(2, '\\nThe agent has blocked this process for ' + most / 1000 + ' s and cannot be interrupted: the process ends.\\nFinished cases are saved: agent-criteria resume continues, but reaches the same case again.\\n');
  } catch {}
  process.kill(pid, 'SIGKILL');
}
`;
