import { CriteriaError, didYouMean, type EvalCase } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { tagsOf } from '@agent-criteria/formats';
import { shellWord } from '../files/shell-word.ts';

/** Selects the cases in eval sets that satisfy all of these conditions. */
export interface CaseFilter {
  /** Only cases with at least one of these tags (`agent_criteria.tags`). Default: all. */
  readonly tags?: readonly string[] | undefined;
  /**
   * Only cases with at least one of these strings in `SET:CASE` or in a tag, ignoring upper and lower case. The strings
   * are not regular expressions, because matching one could take forever. Default: all.
   */
  readonly grep?: readonly string[] | undefined;
  /**
   * Only cases that failed, ended in an error, or could not be judged in this run, given by its folder, its id or an id
   * prefix, or "last". Default: all.
   */
  readonly failedIn?: string | undefined;
}

/** The cases in one eval set from which a filter selects. */
export interface Candidates {
  readonly setId: string;
  /** The file of the set, or `null` if the set is a value. */
  readonly file: string | null;
  readonly cases: readonly EvalCase[];
}

/** The cases of a run that failed, ended in an error, or could not be judged. */
export interface FailedCases {
  /** The run's name in commands. */
  readonly run: string;
  /** The id of the run. If it repeated only failed cases of an earlier run, the id of that run follows, and so on. */
  readonly ids: readonly string[];
  /** The number of failed cases. */
  readonly count: number;
  /** The total number of cases in the run. */
  readonly total: number;
  has(from: Pick<Candidates, 'setId' | 'file'>, caseId: string): boolean;
}

interface Condition {
  /** The condition, written as a flag. */
  readonly by: string;
  fits(evalCase: EvalCase, from: Candidates): boolean;
  /** Returns the message if no case fits. */
  whenNone(all: readonly Candidates[]): string;
}

/** Returns the conditions of a filter. @param failed The cases of the run that `failedIn` names. */
export function conditionsOf({ tags = [], grep = [] }: CaseFilter, failed: FailedCases | undefined): Condition[] {
  return [
    ...(tags.length > 0 ? [withTag(tags)] : []),
    ...(grep.length > 0 ? [withText(grep)] : []),
    ...(failed === undefined ? [] : [amongFailed(failed)]),
  ];
}

/** Returns the cases with these ids, or all if no id is given. */
export function withIds(cases: readonly EvalCase[], ids: readonly string[]): readonly EvalCase[] {
  return ids.length === 0 ? cases : cases.filter(({ evalId }) => ids.includes(evalId));
}

/** Returns the flags that selected the cases. */
export function selectedBy(ids: readonly string[], conditions: readonly Condition[]): string[] {
  return [...ids.map((id) => `--case ${shellWord(id)}`), ...conditions.map(({ by }) => by)];
}

/**
 * Returns the ids of the matching cases, in the order of the candidates.
 * @throws CriteriaError UNKNOWN_CASE if none matches, with the known cases, and for a tag that no case has.
 */
export function fittingCases(
  all: readonly Candidates[],
  filter: CaseFilter,
  conditions: readonly Condition[],
): readonly (readonly string[])[] {
  checkTags(all, filter.tags ?? []);
  if (conditions.length === 0) return all.map(({ cases }) => cases.map(({ evalId }) => evalId));
  const fitting = all.map((from) => from.cases.filter((one) => conditions.every((each) => each.fits(one, from))));
  if (fitting.some((cases) => cases.length > 0)) return fitting.map((cases) => cases.map(({ evalId }) => evalId));
  const alone = conditions.map((condition) => ({
    condition,
    count: sum(all.map((from) => from.cases.filter((one) => condition.fits(one, from)).length)),
  }));
  const unmet = alone.find(({ count }) => count === 0);
  const total = sum(all.map(({ cases }) => cases.length));
  const shares = alone.map(({ condition: { by }, count }) => `${by} fits ${count}`).join(', ');
  const message =
    unmet?.condition.whenNone(all) ?? `no case matches all filters: of ${counted(total, 'case')}, ${shares}`;
  throw new CriteriaError({ code: 'UNKNOWN_CASE', message });
}

function withTag(tags: readonly string[]): Condition {
  return {
    by: tags.map((tag) => `--tag ${shellWord(tag)}`).join(' '),
    fits: (evalCase) => tagsOf(evalCase).some((tag) => tags.includes(tag)),
    // checkTags has already rejected tags that no case has.
    whenNone: () => 'no case has any of these tags',
  };
}

/** Rejects unknown tags, because a typo would silently leave out cases. */
function checkTags(all: readonly Candidates[], tags: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const { cases } of all)
    for (const evalCase of cases)
      for (const tag of new Set(tagsOf(evalCase))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const unknown = tags.filter((tag) => !counts.has(tag));
  if (unknown.length === 0) return;
  const cases = counted(sum(all.map((from) => from.cases.length)), 'case');
  const known = [...counts].toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  const there =
    known.length === 0
      ? `; none of the ${cases} has tags: write "agent_criteria": { "tags": [${JSON.stringify(unknown[0])}] } into the cases that you mean`
      : `; the tags of the ${cases} are ${shortList(known.map(([tag, count]) => `${tag} (${count})`))}`;
  throw new CriteriaError(
    unknown.map((tag) => {
      const hint = didYouMean(tag, counts.keys()) || there;
      return { code: 'UNKNOWN_CASE', message: `no case has the tag ${JSON.stringify(tag)}${hint}` };
    }),
  );
}

/** Matches input that looks like a glob or a regular expression. */
const PATTERN = /[|^$*+\\]|\.\*|\[.*\]/;

function withText(texts: readonly string[]): Condition {
  const wanted = texts.map((text) => text.toLowerCase());
  const has = (text: string): boolean => wanted.some((part) => text.toLowerCase().includes(part));
  return {
    by: texts.map((text) => `--grep ${shellWord(text)}`).join(' '),
    fits: (evalCase, { setId }) => has(`${setId}:${evalCase.evalId}`) || tagsOf(evalCase).some(has),
    whenNone(all) {
      const ids = all.flatMap(({ setId, cases }) => cases.map(({ evalId }) => `${setId}:${evalId}`));
      const plain = texts.some((text) => PATTERN.test(text)) ? ' (it is taken as plain text, not as a pattern)' : '';
      const shown = texts.map((text) => JSON.stringify(text)).join(' or ');
      return `no case has ${shown} in SET:CASE or in a tag${plain}; the ${counted(ids.length, 'case')}: ${shortList(ids)}`;
    },
  };
}

function amongFailed(failed: FailedCases): Condition {
  return {
    by: `--failed-in ${shellWord(failed.run)}`,
    fits: (evalCase, from) => failed.has(from, evalCase.evalId),
    whenNone() {
      const { run, count, total } = failed;
      if (count === 0) return `all ${counted(total, 'case')} of run ${run} passed: there is nothing to run again`;
      return `none of the ${counted(count, 'case')} that did not pass in run ${run} is in these eval sets`;
    },
  };
}

function shortList(texts: readonly string[], most = 10): string {
  const shown = texts.slice(0, most).join(', ');
  return texts.length > most ? `${shown}, and ${texts.length - most} more` : shown;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
