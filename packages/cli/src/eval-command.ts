import { resolve } from 'node:path';
import { CriteriaError, createRegistry, type Summary, summarise } from '@agent-criteria/core';
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
import type { EvaluatedSet } from './evaluated-set.ts';
import type { Io } from './io.ts';
import { printCases, printFailures } from './print-case.ts';
import { printPlan, printSummary, printTable, printWarnings } from './print-evaluation.ts';

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
  const detailed = flags.print_detailed_results === true;

  const found = collectProblems();
  const planned = await planSets(setArguments, flags, found, io);
  await found.attempt(() => findAgent(agentPath));
  found.throwIfAny();
  printWarnings(uniqueProblems(planned.flatMap((set) => set.warnings)), io);
  // Last of all: importing the agent runs code.
  const adapters = planned.flatMap((set) => set.registry.list('agent-adapter'));
  const agent = await loadAgent(agentPath, createRegistry(adapters));

  const evaluated: EvaluatedSet[] = [];
  for (const set of planned) {
    if (io.signal.aborted) break;
    if (!json) printPlan(set, repeats, io);
    const { plan } = set;
    const inferences = await generate({ plan, agent, repeats, signal: io.signal });
    const result = { ...set, inferences, cases: await score({ plan, inferences, signal: io.signal }) };
    evaluated.push(result);
    if (!json) printTable(result, io);
    if (!json && detailed) printCases(result, io);
  }
  const summary = summarise(evaluated.flatMap((set) => set.cases));
  if (json) {
    io.out(`${JSON.stringify(toJson(evaluated, summary), null, 2)}\n`);
  } else {
    printFailures(evaluated, detailed, io);
    printSummary(summary, io);
  }
  return io.signal.aborted ? 130 : summary.exitCode;
}

type PlannedSet = LoadedPlan & Pick<EvaluatedSet, 'file'>;

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
  return planned;
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

function toJson(sets: readonly EvaluatedSet[], summary: Summary) {
  return {
    summary,
    sets: sets.map(({ file, configFile, plan, warnings, cases, inferences }) => ({
      setId: plan.evalSet.evalSetId,
      file,
      config: configFile,
      compat: plan.compat,
      criteria: plan.criteria.map(({ name, threshold, gates, minCoverage, criterion }) => ({
        name,
        threshold,
        gates,
        minCoverage,
        origin: criterion.origin,
      })),
      warnings,
      cases,
      inferences,
    })),
  };
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
