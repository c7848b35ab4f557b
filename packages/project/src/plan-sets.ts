import { resolve } from 'node:path';
import { CriteriaError, didYouMean, type EvalSet } from '@agent-criteria/core';
import { createRegistry, type Registry } from '@agent-criteria/core/host';
import type { PlannedSet } from '@agent-criteria/runner';
import { agentFolder } from './agent-folder.ts';
import type { ProblemCollection } from './collect-problems.ts';
import { parseEvalSetArgument } from './eval-set-argument.ts';
import { findEvalSets, skippedInFolder } from './find-files.ts';
import { loadEvalSet } from './load-eval-set.ts';
import { loadPlan } from './load-plan.ts';
import type { Project } from './open-project.ts';

/** An eval set that is going to run, and what its plugins registered. */
export interface PreparedSet extends PlannedSet {
  readonly registry: Registry;
}

/** An eval set file and the cases chosen from it (none: all). */
export interface ChosenSet {
  readonly file: string;
  readonly cases: readonly string[];
}

export interface PlanOptions {
  /** The file of a config that judges, or the config, whatever else there is. Default: the one beside each set, or the project's. */
  readonly config?: unknown;
  /** Where packages are looked up for a set and a config that are no files. Default: they are not. */
  readonly folder?: string | undefined;
  /** Default: as the project says. */
  readonly compat?: 'adk' | null | undefined;
  readonly project: Project;
  /** Every answer comes from a recording. Default: where the project says so. */
  readonly modelsRecorded?: boolean | undefined;
  /** Only this half is to be done: what the other would need is not looked for. Default: both. */
  readonly only?: 'inferences' | 'scores' | undefined;
}

/** Reads and resolves every set; the mistakes of all of them go to `found`. */
export async function planSets(
  chosen: readonly ChosenSet[],
  options: PlanOptions,
  found: ProblemCollection,
): Promise<PreparedSet[]> {
  const planned: PreparedSet[] = [];
  for (const { file, cases } of chosen) {
    const set = await found.attempt(() => planSet(file, cases, options));
    if (set) planned.push({ ...set, file });
  }
  return planned;
}

/** The plan of a set: of a file, or of one that was recorded. */
export async function planSet(
  evalSet: string | EvalSet,
  cases: readonly string[],
  { config, compat, project, folder, only, modelsRecorded }: PlanOptions,
) {
  const { builtIn } = project;
  const registry = builtIn && createRegistry(builtIn.plugins);
  const { variables: environment } = project.environment;
  const half = { scoringOnly: only === 'scores', inferencesOnly: only === 'inferences' };
  const models = { modelsRecorded, providers: builtIn?.providers };
  return loadPlan({
    evalSet,
    cases,
    config,
    registry,
    environment,
    compat,
    project: project.config,
    folder,
    ...half,
    ...models,
  });
}

/**
 * The files that these name: files, folders, patterns, ids of sets of the agent. The same file twice is one, with the cases of both.
 *
 * @param ids Of cases, whichever set has them: then only those.
 */
export async function chooseSets(
  agent: string,
  setArguments: readonly string[],
  ids: readonly string[],
  found: ProblemCollection,
): Promise<readonly ChosenSet[]> {
  const chosen = new Map<string, ChosenSet>();
  for (const argument of setArguments) {
    const before = found.problems.length;
    for (const { file, cases } of (await found.attempt(() => filesOf(argument, agent))) ?? []) {
      const same = chosen.get(resolve(file));
      const all = cases.length === 0 || same?.cases.length === 0;
      const both = all ? [] : [...(same?.cases ?? []), ...cases];
      chosen.set(resolve(file), { file: same?.file ?? file, cases: both });
    }
    // An error has named them.
    if (found.problems.length === before) found.warn(await skippedInFolder(argument));
  }
  const sets = [...chosen.values()];
  return ids.length === 0 ? sets : ((await found.attempt(() => withCases(sets, ids))) ?? []);
}

async function filesOf(argument: string, agent: string): Promise<readonly ChosenSet[]> {
  const { path, cases } = parseEvalSetArgument(argument);
  if (path.length < argument.length) {
    // A colon may be part of a name, and then everything is.
    const whole = await findEvalSets(argument).catch(() => null);
    if (whole !== null) return whole.map((file) => ({ file, cases: [] }));
    if (cases.length === 0) {
      const message = `${argument} names no case after the colon (an empty variable?): add case ids, or remove the colon`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
  }
  return (await findEvalSets(path, { agent })).map((file) => ({ file, cases }));
}

/** Only these cases, beside those that were chosen from a set by itself; and only the sets that have any of them. */
async function withCases(sets: readonly ChosenSet[], ids: readonly string[]): Promise<readonly ChosenSet[]> {
  const chosen: ChosenSet[] = [];
  const known = new Set<string>();
  for (const { file, cases } of sets) {
    const own = (await loadEvalSet(file)).value.evalCases.map(({ evalId }) => evalId);
    for (const id of own) known.add(id);
    const asked = ids.filter((id) => own.includes(id));
    if (asked.length + cases.length > 0) chosen.push({ file, cases: [...cases, ...asked] });
  }
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return chosen;
  const shown = [...known].slice(0, 20).join(', ') + (known.size > 20 ? `, and ${known.size - 20} more` : '');
  throw new CriteriaError(
    unknown.map((id) => {
      const hint = didYouMean(id, known) || `; there are: ${shown}`;
      return { code: 'UNKNOWN_CASE', message: `no eval set has a case "${id}"${hint}` };
    }),
  );
}

/** The folder of an agent when it has eval sets, or what could become one, as the sets to run where none is named; else nothing. */
export async function setsOfAgent(agent: string): Promise<readonly string[]> {
  const folder = await agentFolder(agent).catch(() => null);
  if (folder === null) return [];
  const files = await findEvalSets(folder).catch(() => []);
  return files.length > 0 || (await skippedInFolder(folder)).length > 0 ? [folder] : [];
}
