import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { isUrl, pathInRun } from '@agent-criteria/runner';

/** The facts by which a run is found, from its plan. A damaged plan has none of them. */
export interface RunHead {
  /** The name of its folder, which is the id of the run. */
  readonly id: string;
  readonly folder: string;
  /** Whether it ran only some cases of its eval sets: a selection, a single case, or a run of `--watch`. */
  readonly isOfSelection: boolean;
  /** The hash of its commit, or `null` if it is not known. */
  readonly commit: string | null;
  /** Its eval sets, by id and file. */
  readonly sets: ReadonlySet<string>;
  /** The modules of its agents, or their names if they are not modules. */
  readonly agents: ReadonlySet<string>;
}

/** Matches ids that begin with their time in UTC, to the second. */
const TIMED = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/;

/**
 * Lists the ids of the runs in a folder, newest first. The order comes from the ids; plans are read only of runs that began
 * in the same second, and of folders with other names.
 * @throws CriteriaError FILE_UNREADABLE if the folder exists but cannot be read.
 */
export function runIdsIn(runsFolder: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(runsFolder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const message = `the saved runs cannot be listed: ${(error as Error).message}`;
    throw new CriteriaError({ code: 'FILE_UNREADABLE', file: runsFolder, message }, { cause: error });
  }
  const runs = names.flatMap((id) => {
    const stats = statSync(join(runsFolder, id, 'plan.json'), { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return [];
    let began: number | undefined;
    const exact = (): number => {
      began ??= beginning(join(runsFolder, id), stats.mtimeMs);
      return began;
    };
    return [{ id, second: Math.floor((timeOf(id) ?? exact()) / 1000), exact }];
  });
  return runs
    .sort((a, b) => b.second - a.second || b.exact() - a.exact() || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

/** Reads the facts of runs, newest first and one at a time, because most readers need only the first that fit. */
export function* runHeads(runsFolder: string): Generator<RunHead> {
  for (const id of runIdsIn(runsFolder)) yield runHead(join(runsFolder, id), id);
}

function runHead(folder: string, id: string): RunHead {
  return { id, folder, ...headOfPlan(readPlan(folder), (path) => pathInRun(folder, path)) };
}

/**
 * Returns the facts by which a run is found.
 * @param plan The content of its `plan.json`, which need not be valid.
 * @param fromHere Returns a path of the plan relative to the working folder. Default: it is.
 */
export function headOfPlan(plan: unknown, fromHere = (path: string) => path): Omit<RunHead, 'id' | 'folder'> {
  const commit = fieldOf(fieldOf(plan, 'commit'), 'hash');
  const pathOf = (value: unknown) => (typeof value === 'string' && !isUrl(value) ? resolve(fromHere(value)) : null);
  const setKey = (set: unknown) => JSON.stringify([fieldOf(set, 'id'), pathOf(fieldOf(set, 'file'))]);
  const agentKey = (agent: unknown) => {
    const path = fieldOf(agent, 'path');
    return pathOf(path) ?? JSON.stringify([path ?? fieldOf(agent, 'name') ?? null]);
  };
  return {
    isOfSelection: fieldOf(plan, 'selection') !== undefined,
    commit: typeof commit === 'string' ? commit : null,
    sets: new Set(listOf(fieldOf(plan, 'sets')).map(setKey)),
    agents: new Set(listOf(fieldOf(plan, 'variants') ?? [fieldOf(plan, 'agent')]).map(agentKey)),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function timeOf(id: string): number | null {
  const [, ...parts] = TIMED.exec(id) ?? [];
  if (parts.length === 0) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns when a run started or, if its plan is damaged, `otherwise`. */
function beginning(folder: string, otherwise: number): number {
  const createdAt = fieldOf(readPlan(folder), 'createdAt');
  return typeof createdAt === 'number' ? createdAt : otherwise;
}

function readPlan(folder: string): unknown {
  try {
    const plan: unknown = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
    return isObject(plan) ? plan : {};
  } catch {
    return {};
  }
}
