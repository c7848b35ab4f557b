import { CriteriaError, type Json, type Problem } from '@agent-criteria/core';
import { isObject, parseJson, stringifyJson } from '@agent-criteria/formats';
import { fits, is, readAs, type Schema } from '@agent-criteria/formats/schema';
import type { CaseSelection, GateRecord, Prices, RunCommit, RunCriterion } from '@agent-criteria/results';
import type { AgentFacts } from '../agents.ts';
import { type Redaction, redactCase } from '../engine/redact.ts';
import { existsSync, mkdirSync, readFileSync, statSync } from '../node-fs.ts';
import { MOST_REPEATS } from '../run-defaults.ts';
import type { Blobs } from './blobs.ts';
import { FORMAT, layout } from './layout.ts';
import { withPathsFromHere, withStoredPaths } from './plan-paths.ts';
import { withCurrentCriterionKeys } from './records.ts';
import { writeFailed, writeWhole } from './write-file.ts';

/** The plans of a run and of its scoring pass. */
export interface RunPlans {
  readonly run: RunPlan;
  readonly scoring: ScoringPlan;
}

/** The fields that both plans share. */
interface PlanHead {
  readonly format: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly compat: 'adk' | null;
  /** Absent if all cases of the eval sets were selected. */
  readonly selection?: CaseSelection | undefined;
  /** The versions of packages: core, runner, and the packages of criteria and simulated users. */
  readonly packages: Readonly<Record<string, string>>;
}

/** The contents of a run's `plan.json`: everything that its inferences depend on. */
export interface RunPlan extends PlanHead {
  readonly id: string;
  /** The commit that the run started from; absent if it is not known, and in runs from older versions. */
  readonly commit?: RunCommit | undefined;
  /** The agent. With variants, the names of all of them and no path. */
  readonly agent: AgentRecord;
  /** The variants in order; absent for a single agent. */
  readonly variants?: readonly VariantRecord[] | undefined;
  /** How many times each case runs, or the maximum with `auto`. */
  readonly repeats: number;
  /** Present if a case stops once it is clear whether it reaches this pass rate. */
  readonly auto?: { readonly casePassRate: number } | undefined;
  /** The prices of models, by which the agent's calls cost; absent if there are none, and in runs from older versions. */
  readonly prices?: Prices | undefined;
  /** Whether the run was started with scoring; absent in runs from older versions. */
  readonly judged?: boolean | undefined;
  readonly sets: readonly PlannedSetRecord[];
}

export interface AgentRecord extends AgentFacts {
  /** The hash of the agent's module. */
  readonly hash: string | null;
}

export interface VariantRecord extends AgentRecord {
  readonly variant: string;
}

interface SetRecord {
  readonly id: string;
  /** The path, relative to the working folder if it is inside, or `null` for a value. */
  readonly file: string | null;
  /** The hash of the set's entire contents. */
  readonly hash: string;
  /**
   * The hash under which the contents are stored, one case per line. It differs from `hash` if anything was redacted.
   */
  readonly content: string;
  readonly cases: number;
}

export interface PlannedSetRecord extends SetRecord {
  /** The simulated user, or `null` if no case has a scenario. */
  readonly simulator: { readonly name: string; readonly options: Json; readonly models: Json } | null;
  /** The simulation that answers in place of tools, by the config, if anything but injections does. */
  readonly environment?: { readonly config: Json; readonly models: Json } | undefined;
}

/** The contents of a scoring pass's `plan.json`: everything that its scores depend on. */
export interface ScoringPlan extends PlanHead {
  readonly scoring: number;
  readonly sets: readonly ScoredSetRecord[];
  /** The gates to check at the end; absent in scoring passes from versions that did not record outcomes. */
  readonly gates?: readonly GateName[] | undefined;
  readonly warnings: readonly Problem[];
}

export interface ScoredSetRecord extends SetRecord {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly configFile: string | null;
  readonly criteria: readonly (RunCriterion & { readonly options: Json; readonly models: Json })[];
}

/**
 * Writes the plans of a new run. `plan.json` is written last, because a folder that contains it counts as a run.
 * @throws CriteriaError RUN_NOT_FOUND if the folder has results of a run whose plan is missing.
 */
export function writeNewRun(
  folder: string,
  plans: RunPlans & { readonly contents: readonly string[] },
  judge: boolean,
  blobs: Blobs,
  redaction: Redaction,
  workingFolder: string | undefined,
): void {
  const left = [layout.inferences(folder), layout.scores(folder, plans.scoring.scoring)].find((file) =>
    existsSync(file),
  );
  if (left !== undefined) {
    const message = 'this belongs to a run whose plan.json is missing; restore it from a copy, or use another folder';
    throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: left, message });
  }
  const contents = keepContents(plans.contents, blobs, redaction);
  const sets = plans.run.sets.map((set, index) => ({ ...set, content: contents[index] ?? set.content }));
  if (judge) writeScoringPlan(folder, plans.scoring, contents, workingFolder);
  writeJsonFile(layout.plan(folder), withStoredPaths(folder, { ...plans.run, judged: judge, sets }, workingFolder));
}

export function writeScoringPlan(
  folder: string,
  plan: ScoringPlan,
  contents: readonly string[],
  workingFolder?: string,
): void {
  try {
    mkdirSync(layout.scoring(folder, plan.scoring), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeFailed(folder, error);
  }
  const sets = plan.sets.map((set, index) => ({ ...set, content: contents[index] ?? set.content }));
  writeJsonFile(layout.scoringPlan(folder, plan.scoring), withStoredPaths(folder, { ...plan, sets }, workingFolder));
}

/** Stores the sets with the run, so that it stays readable when their files change. */
export function keepContents(contents: readonly string[], blobs: Blobs, redaction: Redaction): string[] {
  const { mask, redact } = redaction;
  // Few cases contain a secret, so most need not be parsed again.
  const kept = (line: string): string => {
    const isOpen = redact === undefined && (mask === null || mask.reference(line) === line);
    return isOpen ? line : stringifyJson(redactCase(parseJson(line), redaction));
  };
  return contents.map((content) => {
    const [head = '', ...cases] = content.split('\n');
    return blobs.put([head, ...cases.map(kept)].join('\n'));
  });
}

/** Writes a JSON file atomically and flushes it to disk. */
export function writeJsonFile(file: string, value: unknown): void {
  writeWhole(file, `${stringifyJson(value, null, 2)}\n`, { flush: true });
}

/** The largest number of units in a plan. More would exhaust memory. */
const MOST_UNITS = 10_000_000;

const sets = is.list({
  id: is.text,
  hash: is.text,
  content: is.text,
  cases: is.count,
  file: is.orNull(is.text),
} satisfies Schema<PlannedSetRecord>);

const selection = is.optional({ of: is.count, by: is.list(is.text), failedIn: is.optional(is.list(is.text)) });
const agent = { name: is.text, path: is.orNull(is.text), agentName: is.optional(is.orNull(is.text)) };

/** Whether a value is a pass rate that a gate accepts. No finite number of repeats can demonstrate 0 or 1. */
function isRate(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 1;
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

const runPlan: Schema<RunPlan> = {
  id: is.text,
  createdAt: is.time,
  agent,
  variants: is.optional(is.list({ ...agent, variant: is.text })),
  commit: is.optional({ hash: is.text, branch: is.optional(is.text), dirty: is.optional(is.flag) }),
  repeats: (value) => is.count(value) && value !== 0,
  auto: is.optional({ casePassRate: isRate }),
  packages: is.map(is.text),
  prices: is.optional(is.map(is.map(isPrice))),
  sets,
  selection,
};

const scoringPlan: Schema<ScoringPlan> = {
  createdAt: is.time,
  packages: is.map(is.text),
  warnings: is.list(is.object),
  gates: is.optional(is.list({ name: is.text, variant: is.optional(is.text), confirms: is.optional(is.text) })),
  selection,
  sets: (value) =>
    sets(value) &&
    fits(is.list({ configFile: is.orNull(is.text), criteria: is.list({ name: is.text, range: is.object }) }), value),
};

/**
 * Reads the plan of a run.
 * @param workingFolder The folder to which its paths are to be relative. Default: that of the process.
 * @throws CriteriaError RUN_NOT_FOUND, INVALID_DATA, or UNKNOWN_FORMAT for files from a newer version.
 */
export function readRunPlan(folder: string, workingFolder?: string): RunPlan {
  const file = layout.plan(folder);
  const plan = readAs(runPlan, readPlanFile(file), { file, message: damaged });
  if (plan.repeats > MOST_REPEATS) {
    const message = `this plan of a run asks for ${plan.repeats} repeats of each case, but a run can have at most ${MOST_REPEATS}; restore the file from a copy`;
    throw new CriteriaError({ code: 'INVALID_DATA', file, path: '$.repeats', message });
  }
  return withPathsFromHere(
    folder,
    withinLimits(plan, plan.repeats * (plan.variants?.length ?? 1), file),
    workingFolder,
  );
}

/** Reads the plan of a scoring pass, as `readRunPlan` reads that of a run. */
export function readScoringPlan(folder: string, scoring: number, workingFolder?: string): ScoringPlan {
  const file = layout.scoringPlan(folder, scoring);
  const plan = withinLimits(readAs(scoringPlan, readPlanFile(file), { file, message: damaged }), 1, file);
  return withPathsFromHere(folder, { ...plan, sets: plan.sets.map(inCurrentFormat) }, workingFolder);
}

function inCurrentFormat(set: ScoredSetRecord): ScoredSetRecord {
  return {
    ...set,
    criteria: set.criteria.map((one) => withCurrentCriterionKeys(one) as (typeof set.criteria)[number]),
  };
}

function damaged(field: string): string {
  return `this plan of a run is damaged: "${field}" is invalid; restore the file from a copy`;
}

function withinLimits<T extends RunPlan | ScoringPlan>(plan: T, repeats: number, file: string): T {
  const units = plan.sets.reduce((sum, { cases }) => sum + cases, 0) * repeats;
  if (units <= MOST_UNITS && new Set(plan.sets.map(({ id }) => id)).size === plan.sets.length) return plan;
  throw new CriteriaError({ code: 'INVALID_DATA', file, path: '$.sets', message: damaged('sets') });
}

function readPlanFile(file: string): Record<string, unknown> {
  const notRun = (message: string, cause?: unknown) =>
    new CriteriaError({ code: 'RUN_NOT_FOUND', file, message }, { cause });
  let text: string;
  try {
    // Opening a pipe would block.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw notRun('there is no run here: a run is a folder with a plan.json', error);
  }
  let plan: unknown;
  try {
    plan = parseJson(text);
  } catch (error) {
    const message = 'this plan of a run is damaged: it is not JSON; restore the file from a copy';
    throw new CriteriaError({ code: 'INVALID_DATA', file, message }, { cause: error });
  }
  if (!isObject(plan) || typeof plan.format !== 'number')
    throw notRun('this is not the plan of a run: it has no "format"');
  const { format } = plan;
  if (format > FORMAT) {
    const message = `this run was written by a newer version (format ${format}, this one reads ${FORMAT}); update agent-criteria`;
    throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message });
  }
  return plan;
}

/** A gate of a run: its name, its variant, and the id of the run whose regression it confirms. */
export type GateName = Pick<GateRecord, 'name' | 'variant' | 'confirms'>;
