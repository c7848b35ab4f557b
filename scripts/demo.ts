import { runCommand } from '../packages/cli/src/run-command.ts';

// The first command in the README: two example agents with their eval sets. Both have a case that fails on purpose, so
// that the demo shows what a failure looks like.
const EXAMPLES = [
  { folder: 'examples/home-automation', evalSet: 'home-automation.evalset.json', what: "ADK's default criteria" },
  {
    folder: 'examples/museum-desk',
    evalSet: 'museum.evalset.json',
    what: 'the five criteria that ask a language model, replayed from a recording of a scripted judge: no key, no network',
  },
];
const { signal } = new AbortController();
const codes: number[] = [];
const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
const width = { out: columns, err: columns };
for (const { folder, evalSet, what } of EXAMPLES) {
  process.stdout.write(`${codes.length === 0 ? '' : '\n'}${folder}, judged by ${what}\n\n`);
  const code = await runCommand(['eval', folder, `${folder}/${evalSet}`, '--no_run_folder'], {
    out: (text) => void process.stdout.write(text),
    raw: (text) => void process.stdout.write(text),
    width,
    err: (text) => void process.stderr.write(text),
    color: process.stdout.isTTY === true,
    environment: process.env,
    live: null,
    signal,
    drain: () => signal,
  });
  codes.push(code);
}
const asExpected = codes.every((code) => code === 1);
process.stdout.write(
  asExpected
    ? '\nIn both, a case fails on purpose: see the READMEs of the examples. That is exit code 1 of agent-criteria eval.\n'
    : `\nUnexpected: both should end with a failed case (exit code 1), and ended with ${codes.join(' and ')}.\n`,
);
process.exitCode = asExpected ? 0 : 1;
