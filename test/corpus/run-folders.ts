import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, fill, root } from './folder.ts';
import { inProcess } from './perform.ts';

/** A run started with an older version. */
export interface OldRun {
  readonly name: string;
  /** The command line that started it. */
  readonly begun: readonly string[];
  /** Variables in the agent's environment at the time, which are gone now. */
  readonly environment: Readonly<Record<string, string>>;
  /** The command line that scored it again at the time. */
  readonly scored?: readonly string[];
  /** Whether the last line of its inferences is truncated, as if the machine had crashed. */
  readonly torn?: boolean;
  /** The command line that resumes it. */
  readonly resumed: readonly string[];
  /** The command line that gives the same result without an interruption. Default: `begun`. */
  readonly whole?: readonly string[];
}

const plain = ['eval', '.', 'plain.evalset.json', '--config_file_path', 'plain.json'];
const judged = ['eval', '.', 'desk.evalset.json', 'guided/led.evalset.json', '--replay', 'judge.jsonl'];
const slowly = ['--concurrency_agents', '1'];
// Prompts may change one day: then the project's model answers instead of the recording.
const recorded = ['resume', 'RUN', '--recording', 'judge.jsonl'];

/**
 * The runs, by how they were left: killed in one of the agent's turns, out of budget, with an error, only generated, or
 * finished.
 */
export const oldRuns: readonly OldRun[] = [
  {
    name: 'killed',
    begun: [...plain, ...slowly],
    environment: { KILLED_IN_TURN: '5' },
    resumed: ['resume', 'RUN'],
  },
  {
    name: 'killed-in-repeats',
    begun: [...plain, '--num_runs', '3', '--concurrency_agents', '2'],
    environment: { KILLED_IN_TURN: '13' },
    torn: true,
    resumed: ['resume', 'RUN'],
  },
  {
    name: 'killed-while-judged',
    begun: [...judged, '--num_runs', '2', ...slowly],
    environment: { KILLED_IN_TURN: '9' },
    resumed: recorded,
  },
  {
    name: 'out-of-budget',
    begun: ['eval', '.', 'desk.evalset.json', '--no_cache', '--max_calls', '16', '--concurrency_calls', '1', ...slowly],
    environment: {},
    whole: ['eval', '.', 'desk.evalset.json', '--no_cache'],
    resumed: ['resume', 'RUN', '--no_cache'],
  },
  { name: 'with-an-error', begun: plain, environment: { BROKEN: '1' }, resumed: ['resume', 'RUN'] },
  {
    name: 'killed-generating',
    begun: ['generate', ...plain.slice(1), '--num_runs', '2', ...slowly],
    environment: { KILLED_IN_TURN: '7' },
    resumed: ['resume', 'RUN'],
  },
  {
    name: 'scored-twice',
    begun: [...plain, '--num_runs', '2'],
    environment: { BROKEN: '1' },
    scored: ['score', 'last', '--config_file_path', 'strict.json'],
    resumed: ['resume', 'RUN'],
    whole: ['eval', '.', 'plain.evalset.json', '--config_file_path', 'strict.json', '--num_runs', '2'],
  },
  { name: 'finished', begun: judged, environment: {}, resumed: recorded },
];

/** The results of a run, and the requests to the agent for it. */
export interface Totals {
  readonly code: number | null;
  readonly summary: unknown;
  readonly units: unknown;
  readonly cases: readonly unknown[];
  /** The agent's turns, sorted. */
  readonly asked: readonly string[];
}

/** Prepares a working folder with the project of a version's old runs. */
export function openProject(version: string, folder: string): void {
  copyFolder(join(import.meta.dirname, 'run-folders', version, 'project'), folder);
  const packages = ['criteria-llm-judge', 'criteria-hallucination', 'user-simulator'];
  fill(folder, { packages });
}

/** Resumes an old run in a new folder. */
export async function resumeOldRun(version: string, { name, resumed }: OldRun, folder: string): Promise<Totals> {
  openProject(version, folder);
  const run = join('runs', name);
  cpSync(join(import.meta.dirname, 'run-folders', version, 'runs', name), join(folder, run), { recursive: true });
  // A run with other packages is rightly not resumed; here only the content of the folder matters.
  for (const path of ['plan.json', 'scorings/1/plan.json', 'scorings/2/plan.json'])
    setVersions(join(folder, run, path));
  const args = resumed.map((arg) => arg.replace('RUN', run));
  return totals(args, run, folder);
}

/** Returns the results of a run that is never interrupted. */
export async function runWhole(version: string, { begun, whole = begun }: OldRun, folder: string): Promise<Totals> {
  openProject(version, folder);
  return totals([...whole, '--runs_folder', 'runs'], 'last', folder);
}

async function totals(args: readonly string[], run: string, folder: string): Promise<Totals> {
  const { code, err } = await inProcess([...args], folder, {}, false);
  const shown = await inProcess(['show', run, '--json', '--runs_folder', 'runs'], folder, {}, false);
  if (shown.code !== 0) throw new Error(`${args.join(' ')}: ${err}${shown.err}`);
  const { summary, run: info, sets }: Shown = JSON.parse(shown.out);
  const log = join(folder, 'asked.log');
  return {
    code,
    summary,
    units: info.units,
    cases: sets.flatMap(({ setId, cases, inferences }) => [
      ...cases.map(({ caseId, verdict, criteria, units }) => ({
        set: setId,
        case: caseId,
        verdict,
        criteria: criteria.map(({ name, verdict, score, coverage }) => `${name}: ${verdict} ${score} (${coverage})`),
        repeats: units.map(({ repeat, ending, verdict }) => `${repeat}: ${ending.by}, ${verdict}`),
      })),
      ...inferences.map(({ key, inference }) => ({
        case: key.caseId,
        repeat: key.repeat,
        answers: inference.invocations.map(({ finalResponse }) => finalResponse?.parts?.[0]?.text ?? null),
      })),
    ]),
    asked: existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').sort() : [],
  };
}

interface Shown {
  readonly summary: unknown;
  readonly run: { readonly units: unknown };
  readonly sets: readonly {
    readonly setId: string;
    readonly cases: readonly {
      readonly caseId: string;
      readonly verdict: string;
      readonly criteria: readonly {
        readonly name: string;
        readonly verdict: string;
        readonly score: number | null;
        readonly coverage: number;
      }[];
      readonly units: readonly {
        readonly repeat: number;
        readonly ending: { readonly by: string };
        readonly verdict: string;
      }[];
    }[];
    readonly inferences: readonly {
      readonly key: { readonly caseId: string; readonly repeat: number };
      readonly inference: {
        readonly invocations: readonly {
          readonly finalResponse?: { readonly parts?: readonly { readonly text?: string }[] };
        }[];
      };
    }[];
  }[];
}

/** Writes the current versions of our packages into a plan. */
export function setVersions(file: string): void {
  if (!existsSync(file)) return;
  const plan = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of Object.keys(plan.packages)) {
    const manifest = join(root, 'packages', name.replace('@agent-criteria/', ''), 'package.json');
    if (existsSync(manifest)) plan.packages[name] = JSON.parse(readFileSync(manifest, 'utf8')).version;
  }
  writeFileSync(file, `${JSON.stringify(plan, null, 2)}\n`);
}
