import type { EvalCase } from '@agent-criteria/formats';
import type { Criterion } from '../contracts/criterion.ts';
import { judgedRubrics } from '../scoring/transcript.ts';

/** The maximum number of ids in the message. */
const MOST_NAMED = 5;

/**
 * Describes rubrics with equal ids that a criterion would judge together, for example one from the config and one from
 * a case, because their scores could not be told apart. Returns `null` if there are none.
 *
 * @param optionsOf Returns the criterion's options for a case id.
 */
export function repeatedRubricIds(
  criterion: Criterion,
  optionsOf: (caseId: string) => unknown,
  cases: readonly EvalCase[],
): string | null {
  const found = new Map<string, Set<string>>();
  for (const evalCase of cases) {
    for (const rubrics of judgedRubrics(criterion, optionsOf(evalCase.evalId), evalCase)) {
      const ids = new Set<string>();
      for (const { rubricId } of rubrics) {
        if (ids.has(rubricId)) found.set(rubricId, (found.get(rubricId) ?? new Set()).add(evalCase.evalId));
        ids.add(rubricId);
      }
    }
  }
  if (found.size === 0) return null;
  const named = [...found].slice(0, MOST_NAMED).map(([id, caseIds]) => {
    const [first] = caseIds;
    const others = caseIds.size === 1 ? '' : ` and ${caseIds.size - 1} more`;
    return `"${id}" (case "${first}"${others})`;
  });
  const more = found.size > MOST_NAMED ? `, and ${found.size - MOST_NAMED} more` : '';
  return (
    `${criterion.name} would judge two rubrics of the same id together: ${named.join(', ')}${more}. ` +
    'Look at the rubrics of the config, the case and its turns, and give each its own id'
  );
}
