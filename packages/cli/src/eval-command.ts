import { dirname } from 'node:path';
import {
  CriteriaError,
  createRegistry,
  type EvalConfig,
  knownCriteria,
  type Plan,
  type Plugin,
  type Problem,
  parseEvalConfig,
  resolveEvalConfig,
  type Summary,
  summarise,
} from '@agent-criteria/core';
import { generate, score, selectCases } from '@agent-criteria/runner';
import {
  findConfig,
  findEvalSets,
  importFrom,
  loadAgent,
  loadEvalSet,
  loadPlugins,
  readJsonFile,
} from '@agent-criteria/runner/load';
import { type Flags, parseEvalSetArgument, parseFlags } from './arguments.ts';
import { builtInCriteria } from './built-in-criteria.ts';
import type { Io } from './io.ts';
import { type EvaluatedSet, printPlan, printSet, printSummary, printWarnings } from './print-evaluation.ts';

const FLAGS = {
  config_file_path: { type: 'string' },
  print_detailed_results: { type: 'boolean' },
  num_runs: { type: 'string' },
  compat: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** An eval set with all that it takes to run it. */
interface PlannedSet {
  readonly file: string;
  readonly configFile: string | null;
  readonly plan: Plan;
  readonly warnings: readonly Problem[];
}

/** `agent-criteria eval AGENT EVALSET...`: everything is checked, then everything is run, then everything is shown. */
export async function evalCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, FLAGS);
  const [agentPath, ...setArguments] = positionals;
  if (agentPath === undefined) throw usage('name the agent: agent-criteria eval AGENT EVALSET');
  if (setArguments.length === 0) throw usage('name at least one eval set: agent-criteria eval AGENT EVALSET');
  const compat = compatOf(flags);
  const repeats = repeatsOf(flags);
  const json = flags.json === true;

  const planned = await planSets(setArguments, flags, compat, io);
  const agent = await loadAgent(agentPath);
  for (const set of planned) printWarnings(set.warnings, io);
  const evaluated: EvaluatedSet[] = [];
  for (const set of planned) {
    const { plan } = set;
    if (!json) printPlan(set, repeats, io);
    const inferences = await generate({ plan, agent, repeats, signal: io.signal });
    const cases = await score({ plan, inferences, signal: io.signal });
    const result: EvaluatedSet = { ...set, inferences, cases };
    if (!json) printSet(result, flags.print_detailed_results === true, io);
    evaluated.push(result);
    if (io.signal.aborted) break;
  }
  const summary = summarise(evaluated.flatMap((set) => set.cases));
  if (json) io.out(`${JSON.stringify(toJson(evaluated, summary), null, 2)}\n`);
  else printSummary(summary, io);
  return io.signal.aborted ? 130 : summary.exitCode;
}

/** Loads and resolves every set; all mistakes of all sets in one error. */
async function planSets(
  setArguments: readonly string[],
  flags: Flags,
  compat: 'adk' | null,
  io: Io,
): Promise<PlannedSet[]> {
  const problems: Problem[] = [];
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!CriteriaError.is(error)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const chosen = await chooseCases(setArguments, attempt);
  const given = typeof flags.config_file_path === 'string' ? flags.config_file_path : undefined;
  const planned: PlannedSet[] = [];
  for (const [file, cases] of chosen) {
    const set = await attempt(() => planSet(file, cases, given, compat, io));
    if (set) planned.push(set);
  }
  // The same config serves many sets: its mistakes are told once.
  if (problems.length > 0) throw new CriteriaError(unique(problems));
  return planned;
}

/** The files that the arguments mean, with the cases chosen from each (none: all). The same file twice is one. */
async function chooseCases(
  setArguments: readonly string[],
  attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const chosen = new Map<string, readonly string[]>();
  for (const argument of setArguments) {
    const { path, cases } = parseEvalSetArgument(argument);
    for (const file of (await attempt(() => findEvalSets(path))) ?? []) {
      const before = chosen.get(file);
      const all = cases.length === 0 || before?.length === 0;
      chosen.set(file, all ? [] : [...(before ?? []), ...cases]);
    }
  }
  return chosen;
}

async function planSet(
  file: string,
  cases: readonly string[],
  given: string | undefined,
  compat: 'adk' | null,
  io: Io,
): Promise<PlannedSet> {
  const loaded = await loadEvalSet(file);
  const configFile = given ?? (await findConfig(file)) ?? null;
  const config = configFile === null ? null : await readJsonFile(configFile);
  const plugins = config === null ? [] : await pluginsOf(config.value, dirname(configFile ?? '.'));
  const plan = resolveEvalConfig({
    evalSet: selectCases(loaded.value, cases, file),
    config: config?.value ?? null,
    ...(configFile === null ? {} : { file: configFile }),
    registry: createRegistry([...builtInCriteria, ...plugins]),
    environment: io.environment,
    compat,
  });
  return { file, configFile, plan, warnings: [...loaded.warnings, ...(config?.warnings ?? []), ...plan.warnings] };
}

/** What a config names: packages under `plugins`, and packages of ours that its criteria come from, where installed. */
async function pluginsOf(value: unknown, folder: string): Promise<readonly Plugin[]> {
  let config: EvalConfig;
  try {
    config = parseEvalConfig(value).value;
  } catch {
    return []; // Resolving tells what is wrong, with everything else.
  }
  const named = await loadPlugins(config.plugins ?? [], folder);
  const builtIn = new Set(builtInCriteria.map((criterion) => criterion.name));
  const wanted = Object.keys(config.criteria ?? {}).filter((name) => !builtIn.has(name));
  const packages = new Set(knownCriteria.filter((known) => wanted.includes(known.name)).map((known) => known.package));
  const ours: Plugin[] = [];
  for (const name of packages) {
    if (await resolves(name, folder)) ours.push(...(await loadPlugins([`${name}/pure`], folder)));
  }
  return [...named, ...ours];
}

async function resolves(name: string, folder: string): Promise<boolean> {
  try {
    await importFrom(`${name}/package.json`, `${folder}/importer.js`);
    return true;
  } catch {
    return false;
  }
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

function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...seen.values()];
}

function usage(message: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message });
}
