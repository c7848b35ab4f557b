import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { Prices } from '@agent-criteria/results';
import type { Attempt } from './attempt.ts';
import { type CallWatcher, type Spent, tell } from './call-event.ts';
import { checkNumbers } from './check-numbers.ts';
import { type BudgetLimits, openLedger, type Used } from './ledger.ts';
import { holding } from './nesting.ts';
import { openUnderWay } from './under-way.ts';

export interface BudgetOptions extends BudgetLimits {
  readonly prices?: Prices | undefined;
  readonly onEvent?: CallWatcher | undefined;
}

export interface Budget {
  /**
   * Makes the attempt if the budget allows it. Once it does not, no attempt is made any more: those under way end, then
   * all others reject with a CriteriaError BUDGET_SPENT.
   */
  run<T>(target: string, attempt: Attempt<T>, signal: AbortSignal, used: (answer: T) => Used): Promise<T>;
  spent(): Spent;
  /** What somebody who reads the costs should know. */
  warnings(): readonly Problem[];
}

/** @throws CriteriaError USAGE for numbers that make no sense, or INVALID_CONFIG for a limit of costs without any prices. */
export function openBudget({ onEvent, ...options }: BudgetOptions = {}): Budget {
  const { maxCalls, maxTokens, maxCost, prices } = options;
  checkNumbers({ fromZero: { maxCalls, maxTokens }, amounts: { maxCost } });
  if (maxCost !== undefined && prices === undefined) {
    const message = 'maxCost needs prices: set what the tokens of each model cost, or limit calls or tokens';
    throw new CriteriaError({ code: 'INVALID_CONFIG', message });
  }
  const ledger = openLedger(options);
  const underWay = openUnderWay();
  let told = false;

  function refusal(): CriteriaError {
    if (!told) tell(onEvent, { type: 'budget-spent', spent: ledger.spent() });
    told = true;
    return ledger.refusal();
  }

  return {
    async run(target, attempt, signal, used) {
      signal.throwIfAborted();
      // What is under way may turn out to have been no call, so nothing is refused before all has ended.
      while (ledger.isSpent()) {
        if (underWay.isEmpty()) throw refusal();
        await underWay.untilOneEnds(signal);
      }
      ledger.begin();
      const hold = underWay.begin();
      try {
        const answer = await holding(hold, () => attempt(signal));
        ledger.add(target, used(answer));
        return answer;
      } finally {
        hold.suspend();
      }
    },
    spent: ledger.spent,
    warnings: ledger.warnings,
  };
}
