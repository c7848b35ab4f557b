import { Worker } from 'node:worker_threads';

/** Milliseconds beyond that: for work between two turns that is not the agent's. */
const GRACE = 10_000;
/** Milliseconds between two signs of life. */
const BEAT = 250;
/** How often in a row the process must have been found busy: a machine that slept, or was busy itself, gives it time to come round. */
const LOOKS = 4;

/**
 * Ends the process when it has not come round for longer than a turn may take: an agent that computes without a pause
 * keeps timers and Ctrl-C out, and nothing in this thread could stop it. The run is kept, and can go on.
 */
export function watchTheLoop(turnTimeout: number): { end(): void } {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT);
  timer.unref();
  const workerData = { beats, most: turnTimeout + GRACE, looks: LOOKS, pid: process.pid };
  // Flags of this process, as --input-type, would change what the text below is taken for.
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData });
  worker.unref();
  // Without it, the run goes on as it would have.
  worker.on('error', () => undefined);
  return {
    end() {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}

/** In a thread of its own, written for CommonJS, which is what `eval` takes. It writes past streams: those need the other thread. */
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
