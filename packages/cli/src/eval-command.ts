import { resolve } from 'node:path';
import {
  CriteriaError,
  createRegistry,
  type RecordedSet,
  type RunRecord,
  runRecord,
  runSet,
  summarise,
} from '@agent-criteria/core';
import {
  type ConsoleOptions,
  consoleCases,
  consoleFailures,
  consolePlan,
  consoleSummary,
  jsonReport,
} from '@agent-criteria/report';
import { generate, score } from '@agent-criteria/runner';
import {
  collectProblems,
  findAgent,
  findEvalSets,
  type LoadedPlan,
  loadAgent,
  loadPlan,
  type ProblemCollection,
  uniqueProblems,
} from '@agent-criteria/runner/load';
import { type Flags, parseEvalSetArgument, parseFlags } from './arguments.ts';
import { builtInCriteria } from './built-in-criteria.ts';
import type { Io } from './io.ts';
import { printWarnings } from './print-problems.ts';

const FLAGS = {
  config_file_path: { type: 'string' },
  print_detailed_results: { type: 'boolean' },
  num_runs: { type: 'string' },
  compat: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** An eval set file and the cases chosen from it (none: all). */
interface ChosenSet {
  readonly file: string;
  readonly cases: readonly string[];
}

/** `agent-criteria eval AGENT EVALSET...`: everything is checked, then everything is run, and what failed is shown last. */
export async function evalCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, FLAGS);
  const [agentPath, ...setArguments] = positionals;
  if (agentPath === undefined || setArguments.length === 0) {
    const what = agentPath === undefined ? 'an agent and an eval set' : 'at least one eval set';
    throw usage(`name ${what}: agent-criteria eval AGENT EVALSET (see --help)`);
  }
  const repeats = repeatsOf(flags);
  const json = flags.json === true;

  const found = collectProblems();
  const planned = await planSets(setArguments, flags, found, io);
  await found.attempt(() => findAgent(agentPath));
  found.throwIfAny();
  printWarnings(uniqueProblems(planned.flatMap((set) => set.warnings)), io);
  // Last of all: importing the agent runs code.
  const adapters = planned.flatMap((set) => set.registry.list('agent-adapter'));
  const agent = await loadAgent(agentPath, createRegistry(adapters));

  const startedAt = Date.now();
  const recordOf = (sets: readonly RecordedSet[]): RunRecord => {
    const endedAt = io.signal.aborted ? null : Date.now();
    return runRecord({ id: String(startedAt), startedAt, endedAt, agent: agentPath, repeats }, sets);
  };
  const look: ConsoleOptions = { color: io.color, detailed: flags.print_detailed_results === true };
  const evaluated: RecordedSet[] = [];
  for (const set of planned) {
    if (io.signal.aborted) break;
    const { plan } = set;
    const cases = plan.evalSet.evalCases.length;
    const described = runSet(plan, set, summarise([]));
    if (!json) io.out(consolePlan(described, { cases, repeats, compat: plan.compat }, look));
    const inferences = await generate({ plan, agent, repeats, signal: io.signal });
    const result = { ...set, inferences, cases: await score({ plan, inferences, signal: io.signal }) };
    evaluated.push(result);
    if (!json) await print(consoleCases(recordOf([result]), described, look), io);
  }
  const record = recordOf(evaluated);
  if (json) {
    await print(jsonReport(record), io);
  } else {
    await print(consoleFailures(record, look), io);
    io.out(consoleSummary(record, look));
  }
  return io.signal.aborted ? 130 : record.summary.exitCode;
}

async function print(report: AsyncIterable<string>, io: Io): Promise<void> {
  for await (const text of report) io.out(text);
}

type PlannedSet = LoadedPlan & { readonly file: string };

/** Reads and resolves every set, with the mistakes of all of them. */
async function planSets(
  setArguments: readonly string[],
  flags: Flags,
  found: ProblemCollection,
  io: Io,
): Promise<PlannedSet[]> {
  const compat = compatOf(flags);
  const config = typeof flags.config_file_path === 'string' ? flags.config_file_path : undefined;
  const registry = createRegistry(builtInCriteria);
  const planned: PlannedSet[] = [];
  for (const { file, cases } of await chooseCases(setArguments, found)) {
    const { environment } = io;
    const plan = await found.attempt(() => loadPlan({ evalSet: file, cases, config, registry, environment, compat }));
    if (plan) planned.push({ ...plan, file });
  }
  return withOwnIds(planned);
}

/** Cases are found by the ids of their sets: the second set of an id gets another. */
function withOwnIds(planned: readonly PlannedSet[]): PlannedSet[] {
  const taken = new Set<string>();
  return planned.map(({ plan, ...set }) => {
    const { evalSet } = plan;
    let id = evalSet.evalSetId;
    for (let count = 2; taken.has(id); count++) id = `${evalSet.evalSetId} (${count})`;
    taken.add(id);
    return { ...set, plan: { ...plan, evalSet: { ...evalSet, evalSetId: id } } };
  });
}

/** The files that the arguments mean. The same file twice is one, with the cases of both. */
async function chooseCases(setArguments: readonly string[], found: ProblemCollection): Promise<readonly ChosenSet[]> {
  const chosen = new Map<string, ChosenSet>();
  for (const argument of setArguments) {
    const { path, cases } = parseEvalSetArgument(argument);
    for (const file of (await found.attempt(() => findEvalSets(path))) ?? []) {
      const before = chosen.get(resolve(file));
      const all = cases.length === 0 || before?.cases.length === 0;
      const both = all ? [] : [...(before?.cases ?? []), ...cases];
      chosen.set(resolve(file), { file: before?.file ?? file, cases: both });
    }
  }
  return [...chosen.values()];
}

function compatOf(flags: Flags): 'adk' | null {
  if (flags.compat === undefined) return null;
  if (flags.compat === 'adk') return 'adk';
  throw usage(`--compat knows only "adk", not "${String(flags.compat)}"`);
}

function repeatsOf(flags: Flags): number {
  const repeats = flags.num_runs === undefined ? 1 : Number(flags.num_runs);
  if (Number.isInteger(repeats) && repeats > 0) return repeats;
  throw usage(`--num_runs must be a whole number above 0, not "${String(flags.num_runs)}"`);
}

function usage(message: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message });
}
