import { CriteriaError, type EvalSet } from '@agent-criteria/core';
import { checkOptions } from '@agent-criteria/core/host';
import { type CaseFilter, conditionsOf, fittingCases } from './case-filter.ts';

/** Which cases of eval sets are wanted, where no earlier run is asked. */
export type TextFilter = Pick<CaseFilter, 'grep' | 'tags'>;

/**
 * The sets with only the cases that fit, which may be none of a set.
 * @throws CriteriaError UNKNOWN_CASE where no case of any set fits; USAGE for what is no filter.
 */
export function fittingSets(
  sets: readonly { readonly evalSet: EvalSet; readonly file: string | null }[],
  filter: TextFilter | undefined,
): readonly EvalSet[] {
  const all = sets.map(({ evalSet }) => evalSet);
  if (filter === undefined) return all;
  checkFilter(filter);
  const from = sets.map(({ evalSet: { evalSetId: setId, evalCases: cases }, file }) => ({ setId, file, cases }));
  const fitting = fittingCases(from, filter, conditionsOf(filter, undefined));
  return all.map((evalSet, index) => {
    const ids = new Set(fitting[index]);
    return { ...evalSet, evalCases: evalSet.evalCases.filter(({ evalId }) => ids.has(evalId)) };
  });
}

/** A slip in a filter would run more than is wanted, and cost that much more. */
function checkFilter(filter: TextFilter): void {
  checkOptions(filter, { grep: true, tags: true });
  for (const [name, texts] of Object.entries(filter)) {
    if (texts === undefined || (Array.isArray(texts) && texts.every((text) => typeof text === 'string'))) continue;
    throw new CriteriaError({ code: 'USAGE', message: `filter.${name} must be a list of texts, as ["smoke"]` });
  }
}
