import { CriteriaError, didYouMean, type EvalSet } from '@agent-criteria/core';

/**
 * The set with only these cases, in the set's order. Absent or empty: all of them.
 * @throws CriteriaError for an id that the set does not have (ADK leaves such cases out without a word).
 */
export function selectCases(evalSet: EvalSet, ids: readonly string[] | undefined, file?: string): EvalSet {
  if (ids === undefined || ids.length === 0) return evalSet;
  const known = new Set(evalSet.evalCases.map((evalCase) => evalCase.evalId));
  const chosen = new Set(ids);
  const unknown = [...chosen].filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const shown = [...known].slice(0, 20).join(', ') + (known.size > 20 ? `, and ${known.size - 20} more` : '');
    throw new CriteriaError(
      unknown.map((id) => ({
        code: 'UNKNOWN_CASE' as const,
        message: `the eval set "${evalSet.evalSetId}" has no case "${id}"${didYouMean(id, known) || `; it has: ${shown}`}`,
        file,
      })),
    );
  }
  return { ...evalSet, evalCases: evalSet.evalCases.filter((evalCase) => chosen.has(evalCase.evalId)) };
}
