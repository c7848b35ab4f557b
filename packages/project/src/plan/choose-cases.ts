import { resolve } from 'node:path';
import { CriteriaError, didYouMean, type EvalCase, type EvalSet } from '@agent-criteria/core';
import type { CaseSelection } from '@agent-criteria/results';
import { selectCases } from '@agent-criteria/runner';
import { collectProblems, type ProblemCollection } from '../files/collect-problems.ts';
import type { NamedEvalSet } from '../files/find-files.ts';
import { EMPTY_SET, isEmptySet, loadEvalSet } from '../files/load-eval-set.ts';
import {
  type Candidates,
  type CaseFilter,
  conditionsOf,
  type FailedCases,
  fittingCases,
  selectedBy,
} from './case-filter.ts';

/** An eval set file and the cases chosen from it. An empty list means all cases. */
export interface ChosenSet {
  readonly file: string;
  readonly cases: readonly string[];
}

type MergedSet = ChosenSet & Pick<NamedEvalSet, 'isNamed'>;

/** The sets to run, with their cases. */
export interface ChosenSets {
  readonly sets: readonly ChosenSet[];
  /** The selection, or `undefined` for all cases in the sets. */
  readonly selection: CaseSelection | undefined;
}

export interface CaseChoice {
  /** Only the cases with these ids, in any set. If empty, all cases. */
  readonly ids: readonly string[];
  readonly filter: CaseFilter;
  /** The cases of the run that the filter refers to. */
  readonly failed: FailedCases | undefined;
}

/**
 * Chooses the cases to run from the eval sets that arguments name. A file named twice is one set, with the cases of
 * both. Drops sets in which no case matches the filter. Adds mistakes to `found`.
 */
export async function chooseSets(
  named: readonly NamedEvalSet[],
  { ids, filter, failed }: CaseChoice,
  found: ProblemCollection,
): Promise<ChosenSets> {
  const chosen = new Map<string, MergedSet>();
  const by: string[] = [];
  for (const { argument, file, cases, isNamed } of named) {
    const same = chosen.get(resolve(file));
    const all = cases.length === 0 || same?.cases.length === 0;
    const both = all ? [] : [...(same?.cases ?? []), ...cases];
    chosen.set(resolve(file), { file: same?.file ?? file, cases: both, isNamed: isNamed || same?.isNamed === true });
    if (cases.length > 0 && !by.includes(argument)) by.push(argument);
  }
  const sets = await withoutEmpty([...chosen.values()], found);
  const conditions = conditionsOf(filter, failed);
  by.push(...selectedBy(ids, conditions));
  if (by.length === 0) return { sets, selection: undefined };

  // Mistakes in sets, and in the cases named with them, are reported when the sets are planned.
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

/** Checks case ids. @throws CriteriaError UNKNOWN_CASE with every id that none of the sets has. */
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

/** Returns the cases of a set that are named, by `--case` or with the set, or all if none is named. */
function namedCases({ file, cases, value }: ReadSet, ids: readonly string[]): readonly EvalCase[] {
  const own = ids.filter((id) => value.evalCases.some(({ evalId }) => evalId === id));
  if (ids.length > 0 && cases.length + own.length === 0) return [];
  return selectCases(value, [...cases, ...own], file).evalCases;
}

/** Leaves out empty sets that were not named, with a warning, so that they do not stop the others. */
async function withoutEmpty(sets: readonly MergedSet[], found: ProblemCollection): Promise<readonly ChosenSet[]> {
  const kept: ChosenSet[] = [];
  const empty: ChosenSet[] = [];
  for (const set of sets) (!set.isNamed && (await isEmptySet(set.file)) ? empty : kept).push(set);
  // If all sets are empty, planning reports that.
  if (kept.length === 0) return sets;
  found.warn(empty.map(({ file }) => ({ code: 'EMPTY', file, path: '$.eval_cases', message: EMPTY_SET })));
  return kept;
}
