/**
 * Measures ten thousand trivial cases with stored results, compared with the peers; the cost of more cases; and a cold
 * command.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { median, ratios, rounds, short, spread } from './measure.ts';
import type { Taken } from './own-run.ts';
import { hasPromptfoo, promptfooCommand } from './promptfoo.ts';
import { sizes, smallest } from './smallest.ts';
import { printTable } from './table.ts';
import { wholeProcess } from './whole-process.ts';
import { workFolder } from './work-folder.ts';
import { root } from './workspace.ts';

const CASES = smallest ? 10 : 10_000;
const bench = join(root, 'bench');
const work = workFolder();

let folders = 0;
/** Returns a new path for a folder. */
function newFolder(): string {
  folders += 1;
  return join(work, String(folders));
}

const script = (...args: string[]): string[] => [process.execPath, join(bench, 'own-run.ts'), ...args];
/** Returns the command that runs one of the peers' tests with the Vitest in that folder. */
const vitest = (folder: string, test: string, ...flags: string[]): string[] => [
  ...['env', `BENCH_CASES=${CASES}`, process.execPath, join(folder, 'node_modules', 'vitest', 'vitest.mjs'), 'run'],
  ...['--root', join(bench, 'peers'), test, ...flags],
];

async function sideBySide(): Promise<void> {
  const commands: Record<string, () => string[]> = {
    'ours: run': () => script('run', String(CASES), newFolder()),
    'ours: evaluate': () => script('evaluate', String(CASES), newFolder()),
    'floor: two lines a case': () => script('floor', String(CASES), newFolder()),
    ...(!smallest && {
      'plain test, Vitest 5': () => vitest(root, 'plain', '--globals'),
      'plain test, Vitest 4': () => vitest(bench, 'plain', '--globals'),
      'vitest-evals, on Vitest 4': () => vitest(bench, 'evals', '--reporter=vitest-evals/reporter'),
    }),
  };
  const cpu: Record<string, number[]> = {};
  const pass = (name: string, command: () => string[]) => async () => {
    const taken = await wholeProcess(command(), work);
    cpu[name] = [...(cpu[name] ?? []), taken.cpu];
  };
  const passes = Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, pass(name, command)]));
  const warmUp = smallest ? 0 : 1;
  const wall: Record<string, number[]> = await rounds(passes, { atLeast: 0, counted: 7, warmUp });
  const ours = cpu['ours: run']!.slice(warmUp);
  const row = (name: string, cpuOf: readonly number[], wallOf: readonly number[], ratio: string) => [
    ...[name, short(median(wallOf) / 1000), short(median(cpuOf) / 1000), short((1000 * median(cpuOf)) / CASES), ratio],
  ];
  const rows = Object.entries(wall).map(([name, times]) => {
    const own = cpu[name]!.slice(warmUp);
    return row(name, own, times, spread(ratios(own, ours)));
  });
  if (!smallest && hasPromptfoo()) {
    // Only once instead of in every round, because it takes more than a minute.
    const { cpu, wall } = await wholeProcess(promptfooCommand(CASES, newFolder()), work);
    rows.push(row('promptfoo, once', [cpu], [wall], `${short(cpu / median(ours))}x`));
  } else {
    rows.push(['promptfoo', 'not installed: npm run promptfoo', '', '', '']);
  }
  printTable(
    `Runs: ${CASES.toLocaleString('en-US')} trivial cases, whole processes`,
    ['', 'wall, s', 'processor, s', 'us a case', 'processor, times run'],
    rows,
  );
}

async function moreCases(): Promise<void> {
  const rows: string[][] = [];
  for (const cases of sizes([1000, 10_000, 100_000], 10)) {
    const taken: Record<string, Taken[]> = {};
    const folder = newFolder();
    const passes = ['floor', 'evaluate', 'run', 'read'].map((how) => [
      how,
      async () => {
        // "read" reads the results of "run".
        if (how !== 'read') rmSync(folder, { recursive: true, force: true });
        const [node = '', ...args] = script(how, String(cases), folder);
        const { printed } = await wholeProcess([node, '--expose-gc', ...args], work);
        taken[how] = [...(taken[how] ?? []), JSON.parse(printed.split('\n')[0] ?? '')];
      },
    ]) as [string, () => Promise<void>][];
    for (let round = 0; round < (smallest ? 1 : 3); round += 1) for (const [, pass] of passes) await pass();
    const of = (how: string, value: (one: Taken) => number) => (taken[how] ?? []).map(value);
    const each = (how: string) => of(how, ({ cpu }) => (1000 * cpu) / cases);
    for (const how of ['floor', 'run', 'evaluate', 'read']) {
      const wall = of(how, (one) => (1000 * one.wall) / cases);
      const grown = median(of(how, (one) => one.peak - one.peakBefore));
      const held = median(of(how, (one) => (1e6 * ((one.held ?? 0) - (one.heldBefore ?? 0))) / cases));
      rows.push([
        ...[how, cases.toLocaleString('en-US'), spread(each(how), ''), spread(ratios(each(how), each('floor')))],
        ...[spread(wall, ''), short(median(of(how, (one) => one.peak))), short(grown), short(held)],
      ]);
    }
    rmSync(folder, { recursive: true, force: true });
  }
  printTable(
    'Runs: more cases, each in a fresh process (aim of run: 20 us a case, as many with ten times the cases)',
    [
      ...['', 'cases', 'processor, us a case', 'times the floor', 'wall, us a case'],
      ...['peak, MB', 'of that by it', 'held, bytes a case'],
    ],
    rows,
  );
}

async function coldCommand(): Promise<void> {
  const command = join(root, 'packages', 'cli', 'dist', 'bin.js');
  const cpu: Record<string, number[]> = {};
  const pass = (name: string, args: readonly string[]) => async () => {
    const taken = await wholeProcess([process.execPath, ...args], work);
    cpu[name] = [...(cpu[name] ?? []), taken.cpu];
  };
  const passes = {
    'empty process': pass('empty process', ['-e', '']),
    'agent-criteria --version': pass('agent-criteria --version', [command, '--version']),
  };
  const warmUp = smallest ? 0 : 2;
  const wall = await rounds(passes, { atLeast: 0, counted: 21, warmUp });
  const rows = Object.entries(wall).map(([name, times]) => [
    ...[name, spread(times, ''), spread(cpu[name]!.slice(warmUp), ''), spread(ratios(times, wall['empty process']))],
  ]);
  printTable('A cold command (aim: 120 ms)', ['', 'wall, ms', 'processor, ms', 'wall, times an empty one'], rows);
}

await sideBySide();
await moreCases();
await coldCommand();
