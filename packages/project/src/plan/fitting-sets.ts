import { CriteriaError, type EvalSet } from '@agent-criteria/core';
import { checkOptions } from '@agent-criteria/core/host';
import { type CaseFilter, conditionsOf, fittingCases } from './case-filter.ts';

/** Selects cases of eval sets without reference to an earlier run. */
export type TextFilter = Pick<CaseFilter, 'grep' | 'tags'>;

/**
 * Reduces each set to its matching cases, of which there may be none.
 * @throws CriteriaError UNKNOWN_CASE if no case in any set matches; USAGE for an invalid filter.
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

/** Checks a filter, because a typo could run more cases than intended, at a higher cost. */
function checkFilter(filter: TextFilter): void {
  checkOptions(filter, { grep: true, tags: true });
  for (const [name, texts] of Object.entries(filter)) {
    if (texts === undefined || (Array.isArray(texts) && texts.every((text) => typeof text === 'string'))) continue;
    throw new CriteriaError({ code: 'USAGE', message: `filter.${name} must be a list of texts, as ["smoke"]` });
  }
}
