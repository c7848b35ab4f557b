#!/usr/bin/env node
import process from 'node:process';
import pc from 'picocolors';
import { run } from './run.ts';

// A reader that goes away (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const controller = new AbortController();
let interrupts = 0;
process.on('SIGINT', () => {
  interrupts += 1;
  if (interrupts > 1) process.exit(130);
  process.stderr.write('\nStopping: open conversations end now. Press Ctrl-C again to leave at once.\n');
  controller.abort(new Error('interrupted'));
});

const write = process.stdout.write.bind(process.stdout);
const args = process.argv.slice(2);
if (args.includes('--json')) {
  // Only the result goes to standard output: what an agent prints must not break the JSON.
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
}

const code = await run(args, {
  out: (text) => void write(text),
  err: (text) => void process.stderr.write(text),
  color: pc.isColorSupported && process.stdout.isTTY === true,
  environment: process.env,
  signal: controller.signal,
});
// An agent may hold sockets or timers open: the command ends all the same, once everything is written.
write('', () => process.stderr.write('', () => process.exit(code)));
