/**
 * Measures a judge's five opinions on each of 200 cases, compared with the peers, bare calls and the ideal: calls x
 * latency / concurrency. Then measures the calls that early stopping and the cache save.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { CASES, LATENCY, neededCalls, SAMPLES, type Split } from './judge-cases.ts';
import type { Taken } from './judge-client.ts';
import { type Counted, startJudge } from './judge-server.ts';
import { median, range, short } from './measure.ts';
import { hasPromptfoo, promptfooJudgeCommand } from './promptfoo.ts';
import { sizes, smallest } from './smallest.ts';
import { printTable } from './table.ts';
import { wholeProcess } from './whole-process.ts';
import { workFolder } from './work-folder.ts';
import { root } from './workspace.ts';

const CALLS = CASES * SAMPLES;
const concurrencies = sizes([20, 100], 20);
/** Returns fewer rounds if fewer calls run at once, because each takes longer. */
const rounds = (concurrency: number): number => {
  if (smallest) return 1;
  return concurrency < 50 ? 3 : 5;
};
const bench = join(root, 'bench');
const work = workFolder();
const judge = await startJudge();
process.on('exit', () => judge.stop());

let folders = 0;
/** Returns a new path for a folder. */
function newFolder(): string {
  folders += 1;
  return join(work, String(folders));
}

type Measured = Pick<Taken, 'wall' | 'cpu'> & { readonly counted: Counted };

/** Runs one contestant in a separate process. */
async function measure(
  who: string,
  concurrency: number,
  { split = 'unanimous', folder = newFolder() }: { split?: Split; folder?: string } = {},
): Promise<Measured> {
  await judge.begin(split);
  const command = [process.execPath, join(bench, 'judge-client.ts'), who, String(concurrency), judge.address, folder];
  const { printed } = await wholeProcess(command, bench);
  const { passed, ...taken }: Taken = JSON.parse(printed.split('\n')[0] ?? '');
  if (passed !== CASES) throw new Error(`${who}: ${passed} of ${CASES} cases passed: all should`);
  return { ...taken, counted: await judge.count() };
}

/**
 * Runs promptfoo as a command. Its time is from the first request to the last answer, excluding startup and shutdown.
 */
async function measurePromptfoo(concurrency: number): Promise<Measured> {
  await judge.begin('unanimous');
  const folder = newFolder();
  const { cpu } = await wholeProcess(promptfooJudgeCommand(SAMPLES, concurrency, judge.address, folder), work);
  const counted = await judge.count();
  return { cpu, wall: counted.span, counted };
}

const ideal = (calls: number, concurrency: number): number => (calls * LATENCY) / concurrency;

async function sideBySide(concurrency: number): Promise<void> {
  const contestants: Readonly<Record<string, string>> = {
    'node:http alone': 'http',
    'fetch alone': 'fetch',
    'ours: run, kept and cached': 'run',
    'ours: evaluate, kept and cached': 'evaluate',
    'ours: run, nothing kept': 'run-unkept',
    'ours: run, kept and cached, Gemini': 'run-gemini',
    ...(!smallest && { 'autoevals, and a vote': 'autoevals', 'openevals, and a vote': 'openevals' }),
  };
  const measured = new Map<string, Measured[]>(Object.keys(contestants).map((name) => [name, []]));
  const loads: number[] = [];
  const names = Object.keys(contestants);
  for (let round = 0; round < rounds(concurrency); round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      measured.get(name)?.push(await measure(contestants[name] ?? '', concurrency));
      loads.push(loadavg()[0] ?? 0);
    }
  }
  // Only once, because it takes so long.
  if (!smallest && hasPromptfoo()) measured.set('promptfoo, once', [await measurePromptfoo(concurrency)]);
  const rows = [...measured].map(([name, all]) => {
    const of = (value: (one: Measured) => number) => all.map(value);
    const wrong = all.find(({ counted }) => counted.calls !== CALLS);
    if (wrong !== undefined) throw new Error(`${name} made ${wrong.counted.calls} calls, not ${CALLS}`);
    return [
      name,
      range(of(({ wall }) => wall / ideal(CALLS, concurrency))),
      short(median(of(({ wall }) => wall / 1000))),
      range(
        of(({ cpu }) => cpu / CALLS),
        '',
      ),
      String(Math.min(...of(({ counted }) => counted.atOnce))),
      String(median(of(({ counted }) => counted.connections))),
      short(median(of(({ counted }) => counted.bytes)) / CALLS / 1000),
      short(median(of(({ counted }) => counted.latency))),
    ];
  });
  if (!hasPromptfoo()) rows.push(['promptfoo', 'not installed: npm run promptfoo', '', '', '', '', '', '']);
  printTable(
    `Judges: ${CALLS.toLocaleString('en-US')} calls, ${concurrency} at once, ideally ${ideal(CALLS, concurrency) / 1000} s (aim: ${concurrency === 20 ? '1.03x' : '1.10x'}; load ${range(loads, '')})`,
    [...['', 'times the ideal', 's', 'processor, ms a call', 'at once', 'connections', 'kB a call'], 'latency, ms'],
    rows,
  );
}

async function earlyStopping(): Promise<void> {
  const rows: string[][] = [];
  for (const split of ['unanimous', '4:1', '3:2'] as const) {
    for (const concurrency of concurrencies) {
      const { counted, wall } = await measure('run-early', concurrency, { split });
      rows.push([
        ...[split, String(concurrency), String(neededCalls(split)), String(counted.calls), String(CALLS)],
        `${short(100 - (100 * counted.calls) / CALLS)} %`,
        ...[short(wall / 1000), `${short(wall / ideal(counted.calls, concurrency))}x`],
        `${short(wall / ideal(CALLS, concurrency))}x`,
      ]);
    }
  }
  printTable(
    'Judges: calls by default, as the judge counted them',
    [
      ...['judge', 'at once', 'expected', 'calls', "ADK's", 'fewer', 's'],
      ...['times the ideal of these calls', "times the ideal of ADK's"],
    ],
    rows,
  );
}

async function secondRun(): Promise<void> {
  const rows: string[][] = [];
  for (const concurrency of concurrencies) {
    const folder = newFolder();
    for (const run of ['first', 'second']) {
      const { counted, wall, cpu } = await measure('run', concurrency, { folder });
      rows.push([run, String(concurrency), String(counted.calls), short(wall / 1000), short(cpu / CALLS)]);
    }
  }
  printTable('Judges: a second run', ['run', 'at once', 'calls', 's', 'processor, ms an opinion'], rows);
}

for (const concurrency of concurrencies) await sideBySide(concurrency);
await earlyStopping();
await secondRun();
process.exit();
