import { CriteriaError } from '@agent-criteria/core';
import type { Attempt } from './attempt.ts';
import { emit } from './call-event.ts';
import type { CallPolicyOptions } from './call-policy-options.ts';
import { checkNumbers } from './check-numbers.ts';
import { openInFlight } from './in-flight.ts';
import { holding } from './reentrancy.ts';
import { type BudgetLimits, openSpending, type Used } from './spending.ts';

export type BudgetOptions = Pick<CallPolicyOptions, keyof BudgetLimits | 'prices' | 'onEvent'>;

export type Budget = ReturnType<typeof openBudget>;

/**
 * Creates a budget that all calls share.
 * @throws CriteriaError USAGE for invalid numbers, or INVALID_CONFIG for a cost limit without prices.
 */
export function openBudget({ onEvent, ...options }: BudgetOptions = {}) {
  const { maxCalls, maxTokens, maxCost, prices } = options;
  checkNumbers({ fromZero: { maxCalls, maxTokens }, amounts: { maxCost } });
  if (maxCost !== undefined && prices === undefined) {
    const message = 'maxCost needs prices: set what the tokens of each model cost, or limit calls or tokens';
    throw new CriteriaError({ code: 'INVALID_CONFIG', message });
  }
  const spending = openSpending(options);
  const inFlight = openInFlight();
  let isReported = false;

  function refusal(): CriteriaError {
    if (!isReported) emit(onEvent, { type: 'budget-spent', spent: spending.spent() });
    isReported = true;
    return spending.refusal();
  }

  return {
    /**
     * Makes the attempt if the budget allows it. Once the budget is spent, attempts in flight may finish, and all
     * others reject with a CriteriaError BUDGET_SPENT.
     */
    async run<T>(target: string, attempt: Attempt<T>, signal: AbortSignal, used: (answer: T) => Used): Promise<T> {
      signal.throwIfAborted();
      // An attempt in flight may turn out not to be a call, so none is rejected until all have ended.
      while (spending.isSpent()) {
        if (inFlight.isEmpty()) throw refusal();
        await inFlight.untilOneEnds(signal);
      }
      spending.begin();
      const hold = inFlight.start();
      try {
        const answer = await holding(hold, () => attempt(signal));
        spending.add(target, used(answer));
        return answer;
      } finally {
        hold.suspend();
      }
    },
    spent: spending.spent,
    warnings: spending.warnings,
  };
}
