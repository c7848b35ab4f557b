import type { Criterion } from '../contracts/criterion.ts';
import { unmetNeed } from './needs.ts';
import type { Context } from './resolve-context.ts';

/**
 * Whether a criterion applies to a case of the set that was not chosen. It was written for those, so that it is neither a mistake
 * nor left out: a case gets the same verdict alone as in the whole set.
 */
export function appliesElsewhere({ options, compat }: Context, criterion: Criterion, own: unknown): boolean {
  return (options.chosenFrom ?? []).some((evalCase) => {
    // Options of the case could be all that it needs.
    const hasOptions = Object.hasOwn(evalCase.agentCriteria ?? {}, criterion.name);
    return hasOptions || unmetNeed(criterion, own, evalCase, compat) === null;
  });
}
