import { formatPath } from '@agent-criteria/formats/schema';
import { comparesWithNothing, EXPECTS_NOTHING } from '../scoring/expects-nothing.ts';
import type { PlannedCriterion } from './plan.ts';
import type { Context } from './resolve-context.ts';

/** Which cases will not be evaluated because they say nothing that the criteria could compare with, and what to write. */
export function warnOfNothing(context: Context, criteria: readonly PlannedCriterion[]): void {
  const { evalCases } = context.options.evalSet;
  const found = [...evalCases.entries()].filter(([, evalCase]) => {
    const applied = criteria.filter(({ inapplicable }) => !inapplicable.has(evalCase.evalId));
    return comparesWithNothing(evalCase, applied);
  });
  const [first] = found;
  if (first === undefined) return;
  const [index, { evalId }] = first;
  const all = `"${evalId}"${found.length > 1 ? ` and ${found.length - 1} more` : ''}`;
  const verdict = found.length > 1 ? 'they will be not evaluated' : 'it will be not evaluated';
  const message = `${all}: ${EXPECTS_NOTHING}, so ${verdict}. ${SAY_SO}, or add a criterion that needs no reference`;
  const path = formatPath(['eval_cases', index, 'conversation']);
  context.warnings.push({ code: 'NEEDS_UNMET', message, path });
}

/** Advice for a turn that expects no calls, in both forms of turns. */
const SAY_SO =
  'Write "calls": [] beside "user", or "intermediate_data": { "tool_uses": [] } beside "user_content", if no tool may be called; write the expected answer if there is one';
