import { run } from '../packages/cli/src/run.ts';

// The first command of the README: an agent of ours, its eval set, ADK's default criteria. One case fails on purpose.
const EXAMPLE = 'examples/home-automation';
const { signal } = new AbortController();
const code = await run(['eval', EXAMPLE, `${EXAMPLE}/home-automation.evalset.json`, '--no_run_folder'], {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  color: process.stdout.isTTY === true,
  environment: process.env,
  live: null,
  signal,
  drain: () => signal,
});
process.stdout.write(
  code === 1
    ? '\nOne case fails on purpose: see examples/home-automation/README.md. That is exit code 1 of agent-criteria eval.\n'
    : `\nUnexpected: the demo should end with one failed case (exit code 1), and ended with ${code}.\n`,
);
process.exitCode = code === 1 ? 0 : 1;
