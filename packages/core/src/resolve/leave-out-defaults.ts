import { formatPath } from '@agent-criteria/formats/schema';
import type { Criterion } from '../contracts/criterion.ts';
import { unmetNeed } from './needs.ts';
import type { PlannedCriterion } from './plan.ts';
import { type Context, problem } from './resolve-context.ts';
import { whatFits } from './warn-of-needs.ts';

/**
 * Whether a criterion may apply to a case that this run has not selected from the set. If so, the criterion is neither
 * an error nor left out, so that a case has the same verdict whether it runs alone or with the whole set.
 */
export function appliesElsewhere({ options, compat }: Context, criterion: Criterion, own: unknown): boolean {
  return (options.chosenFrom ?? []).some((evalCase) => {
    // The options of the case may satisfy the needs.
    const hasOptions = Object.hasOwn(evalCase.agentCriteria ?? {}, criterion.name);
    return hasOptions || unmetNeed(criterion, own, evalCase, compat) === null;
  });
}

/**
 * Drops default criteria that apply to no case, with one warning that names them. If no criterion remains, reports an
 * error instead.
 */
export function leaveOutDefaults(context: Context, criteria: readonly PlannedCriterion[]): readonly PlannedCriterion[] {
  const { evalCases, evalSetId } = context.options.evalSet;
  const unfit = criteria.filter(
    ({ criterion, options, inapplicable }) =>
      evalCases.length > 0 && inapplicable.size === evalCases.length && !appliesElsewhere(context, criterion, options),
  );
  if (unfit.length === 0) return criteria;
  const why = unfit.map(({ name, inapplicable }) => `${name} (${[...inapplicable.values()][0]})`);
  const list = new Intl.ListFormat('en-GB').format(why);
  const [first] = unfit;
  const path = unfit.length === 1 && first ? formatPath(['criteria', first.name]) : '$.criteria';
  if (unfit.length < criteria.length) {
    const message = `no config names the default criterion ${list}, and it applies to no case of the eval set "${evalSetId}": it is left out`;
    context.warnings.push(problem(context, 'NEEDS_UNMET', message, path));
  } else {
    const message = `there is no config, and no default criterion applies to any case of the eval set "${evalSetId}": ${list}. ${whatFits(context, evalCases)}`;
    context.problems.push(problem(context, 'NEEDS_UNMET', message, path));
  }
  return criteria.filter((one) => !unfit.includes(one));
}
