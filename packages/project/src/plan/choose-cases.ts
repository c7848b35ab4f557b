import { resolve } from 'node:path';
import { CriteriaError, didYouMean, type EvalCase, type EvalSet } from '@agent-criteria/core';
import type { CaseSelection } from '@agent-criteria/results';
import { selectCases } from '@agent-criteria/runner';
import { agentFolder } from '../files/agent-folder.ts';
import { collectProblems, type ProblemCollection } from '../files/collect-problems.ts';
import { findEvalSets, hiddenInFolder, skippedInFolder } from '../files/find-files.ts';
import { splitPattern } from '../files/glob-pattern.ts';
import { EMPTY_SET, isEmptySet, loadEvalSet } from '../files/load-eval-set.ts';
import { kindOf } from '../files/path-kind.ts';
import {
  type Candidates,
  type CaseFilter,
  conditionsOf,
  type FailedCases,
  fittingCases,
  selectedBy,
} from './case-filter.ts';

/** An eval set file and the cases chosen from it (none: all). */
export interface ChosenSet {
  readonly file: string;
  readonly cases: readonly string[];
}

/** The sets to run, with their cases. */
export interface ChosenSets {
  readonly sets: readonly ChosenSet[];
  /** `undefined`: all cases of the sets. */
  readonly selection: CaseSelection | undefined;
}

export interface CaseChoice {
  /** Only the cases with these ids, in any set. Empty: all. */
  readonly ids: readonly string[];
  readonly filter: CaseFilter;
  /** The cases of the run that the filter asks for. */
  readonly failed: FailedCases | undefined;
}

/**
 * Finds the files that the arguments name: files, folders, patterns, or ids of the agent's sets. A file that is named
 * twice is one set with the cases of both. Then selects the cases that fit the filter, and drops sets without any.
 */
export async function chooseSets(
  agent: string,
  setArguments: readonly string[] | undefined,
  { ids, filter, failed }: CaseChoice,
  found: ProblemCollection,
): Promise<ChosenSets> {
  const chosen = new Map<string, ChosenSet>();
  const by: string[] = [];
  const named = new Set<string>();
  for (const argument of setArguments ?? (await setsOfAgent(agent))) {
    const before = found.problems.length;
    for (const { file, cases, isNamed } of (await found.attempt(() => filesOf(argument, agent))) ?? []) {
      if (isNamed) named.add(resolve(file));
      const same = chosen.get(resolve(file));
      const all = cases.length === 0 || same?.cases.length === 0;
      const both = all ? [] : [...(same?.cases ?? []), ...cases];
      chosen.set(resolve(file), { file: same?.file ?? file, cases: both });
      if (cases.length > 0 && !by.includes(argument)) by.push(argument);
    }
    // An error has named them.
    if (found.problems.length === before) found.warn(await skippedInFolder(argument));
  }
  const sets = await withoutEmpty([...chosen.values()], named, found);
  const conditions = conditionsOf(filter, failed);
  by.push(...selectedBy(ids, conditions));
  if (by.length === 0) return { sets, selection: undefined };

  // Mistakes in sets, and in the cases named with them, are reported when they are planned.
  const unread = collectProblems();
  const read: ReadSet[] = [];
  for (const set of sets) {
    const { file } = set;
    const value = await unread.attempt(async () => (await loadEvalSet(file)).value);
    if (value !== undefined) read.push({ ...set, value });
  }
  if (unread.problems.length === 0) await found.attempt(() => checkIds(read, ids));
  const candidates: (Candidates & { readonly file: string })[] = [];
  for (const set of read) {
    const cases = await unread.attempt(() => namedCases(set, ids));
    if (cases !== undefined) candidates.push({ file: set.file, setId: set.value.evalSetId, cases });
  }
  if (unread.problems.length + found.problems.length > 0) return { sets, selection: undefined };
  const fitting = await found.attempt(() =>
    conditions.length === 0 ? null : fittingCases(candidates, filter, conditions),
  );
  if (fitting === undefined) return { sets: [], selection: undefined };
  const kept = candidates
    .map(({ file, cases }, index) => ({ file, cases: fitting?.[index] ?? cases.map(({ evalId }) => evalId) }))
    .filter(({ cases }) => cases.length > 0);
  const of = read.reduce((sum, { value }) => sum + value.evalCases.length, 0);
  const count = kept.reduce((sum, { cases }) => sum + cases.length, 0);
  return { sets: kept, selection: count === of ? undefined : { of, by, ...(failed && { failedIn: failed.ids }) } };
}

interface ReadSet extends ChosenSet {
  readonly value: EvalSet;
}

/** @throws CriteriaError UNKNOWN_CASE with every id that none of the sets has. */
function checkIds(sets: readonly ReadSet[], ids: readonly string[]): void {
  const known = new Set(sets.flatMap(({ value }) => value.evalCases.map(({ evalId }) => evalId)));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const shown = [...known].slice(0, 20).join(', ') + (known.size > 20 ? `, and ${known.size - 20} more` : '');
  throw new CriteriaError(
    unknown.map((id) => {
      const hint = didYouMean(id, known) || `; there are: ${shown}`;
      return { code: 'UNKNOWN_CASE', message: `no eval set has a case "${id}"${hint}` };
    }),
  );
}

/** The cases of a set that are named, by `--case` or with the set; all of them where none is. */
function namedCases({ file, cases, value }: ReadSet, ids: readonly string[]): readonly EvalCase[] {
  const own = ids.filter((id) => value.evalCases.some(({ evalId }) => evalId === id));
  if (ids.length > 0 && cases.length + own.length === 0) return [];
  return selectCases(value, [...cases, ...own], file).evalCases;
}

/** An empty set that was not named does not stop the others: it is left out, with a warning. */
async function withoutEmpty(
  sets: readonly ChosenSet[],
  named: ReadonlySet<string>,
  found: ProblemCollection,
): Promise<readonly ChosenSet[]> {
  const kept: ChosenSet[] = [];
  const empty: ChosenSet[] = [];
  for (const set of sets) {
    const isEmpty = !named.has(resolve(set.file)) && (await isEmptySet(set.file));
    (isEmpty ? empty : kept).push(set);
  }
  // If all sets are empty, planning reports it.
  if (kept.length === 0) return sets;
  found.warn(empty.map(({ file }) => ({ code: 'EMPTY', file, path: '$.eval_cases', message: EMPTY_SET })));
  return kept;
}

interface FoundSet extends ChosenSet {
  /** The argument is this file or its id, and no folder or pattern. */
  readonly isNamed: boolean;
}

async function filesOf(argument: string, agent: string): Promise<readonly FoundSet[]> {
  const { path, cases } = parseEvalSetArgument(argument);
  if (path.length < argument.length) {
    // A colon may be part of a name, and then everything is.
    const whole = await findEvalSets(argument).catch(() => null);
    if (whole !== null) return whole.map((file) => ({ file, cases: [], isNamed: file === argument }));
    if (cases.length === 0) {
      const message = `${argument} names no case after the colon (an empty variable?): add case ids, or remove the colon`;
      throw new CriteriaError({ code: 'USAGE', message });
    }
  }
  const kind = await kindOf(path);
  const isNamed = kind === 'file' || (kind === null && splitPattern(path) === null);
  return (await findEvalSets(path, { agent })).map((file) => ({ file, cases, isNamed }));
}

/** The eval sets to run where none is named: the agent's folder if it has eval sets, or files that could become one. */
export async function setsOfAgent(agent: string): Promise<readonly string[]> {
  const folder = await agentFolder(agent).catch(() => null);
  if (folder === null) return [];
  const files = await findEvalSets(folder).catch(() => []);
  return files.length > 0 || (await hiddenInFolder(folder)).length > 0 ? [folder] : [];
}

/** An eval set as it is named in one text: a path, and the cases chosen from it (none: all). */
export interface EvalSetArgument {
  readonly path: string;
  readonly cases: readonly string[];
}

/**
 * Splits `path:case1,case2`, also with a drive letter (`C:\sets\a.json:case1`). Names are trimmed, empty ones dropped.
 * A colon without a name is left to the caller, because a file name may end in one. Ids with commas are not supported.
 */
export function parseEvalSetArgument(argument: string): EvalSetArgument {
  const drive = /^[A-Za-z]:[\\/]/.test(argument) ? 2 : 0;
  const colon = argument.indexOf(':', drive);
  if (colon === -1) return { path: argument, cases: [] };
  const cases = argument
    .slice(colon + 1)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { path: argument.slice(0, colon), cases };
}
