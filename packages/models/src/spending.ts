import { type AnswerSource, CriteriaError, type Problem, type State } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { costOf, type Prices, tokenCounts } from '@agent-criteria/results';
import type { Spent } from './call-event.ts';

/** Limits for all calls together. Every attempt that is sent to a model or a service counts. */
export interface BudgetLimits {
  /** The maximum number of calls, which is never exceeded. 0 allows none. */
  readonly maxCalls?: number | undefined;
  /**
   * The maximum number of tokens, sent and received; estimated from request and answer if the answer reports none.
   * Calls in flight may exceed it.
   */
  readonly maxTokens?: number | undefined;
  /** The maximum cost, in the currency of the prices. Calls in flight may exceed it. */
  readonly maxCost?: number | undefined;
}

/** The usage reported by an answer. */
export interface Used {
  readonly usage: State;
  readonly from: AnswerSource;
  /** Estimates the usage if `usage` has no tokens. Absent if the call uses none. */
  readonly guess?: (() => State) | undefined;
}

/** Adds up what has been spent, and checks it against the limits. Makes no calls and has no clock. */
export function openSpending({ prices, ...limits }: BudgetLimits & { readonly prices?: Prices | undefined } = {}) {
  const { maxCalls, maxTokens, maxCost } = limits;
  const totals = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0, callsWithoutPrice: 0 };
  const unpriced = new Set<string>();
  /** Estimates for answers without reported tokens, which only limits use. */
  const estimated = { calls: 0, tokens: 0, cost: 0, ids: new Set<string>() };

  const tokens = (): number => totals.inputTokens + totals.outputTokens + estimated.tokens;
  const cost = (): number => totals.cost + estimated.cost;

  /** Adds an estimate, because a limit that counted unknown usage as 0 would never be reached. */
  function addEstimate(target: string, usage: State): void {
    const counts = tokenCounts(usage);
    estimated.calls += 1;
    estimated.tokens += (counts?.inputTokens ?? 0) + (counts?.outputTokens ?? 0);
    estimated.cost += costOf({ target, usage, from: 'live' }, prices) ?? 0;
    estimated.ids.add(target);
  }

  return {
    /** Counts a call that is sent. */
    begin(): void {
      totals.calls += 1;
    },
    /** Adds the usage of a call's answer. An answer from any source but the service was not a call. */
    add(target: string, { usage, from, guess }: Used): void {
      if (from !== 'live') {
        totals.calls -= 1;
        return;
      }
      const counts = tokenCounts(usage);
      if (counts === null && guess !== undefined && (maxTokens ?? maxCost) !== undefined) addEstimate(target, guess());
      totals.inputTokens += counts?.inputTokens ?? 0;
      totals.outputTokens += counts?.outputTokens ?? 0;
      const own = costOf({ target, usage, from }, prices);
      if (own === undefined) {
        totals.callsWithoutPrice += 1;
        unpriced.add(target);
      } else {
        totals.cost += own;
      }
    },
    /** Whether a limit is reached. */
    isSpent: (): boolean =>
      totals.calls >= (maxCalls ?? Number.POSITIVE_INFINITY) ||
      tokens() >= (maxTokens ?? Number.POSITIVE_INFINITY) ||
      cost() >= (maxCost ?? Number.POSITIVE_INFINITY),
    spent: (): Spent => ({ ...totals }),
    /** Creates the error for calls beyond the limit. */
    refusal: (): CriteriaError =>
      budgetSpent({ calls: totals.calls, tokens: tokens(), cost: cost(), estimated: estimated.calls }, limits),
    /** Returns warnings about costs that are unknown or estimated. */
    warnings: (): readonly Problem[] => [
      ...warningOf(
        prices === undefined ? 0 : totals.callsWithoutPrice,
        (calls) =>
          `the cost of ${calls} to ${named(unpriced)} is unknown and not included in any total: there is no price for what they reported`,
      ),
      ...warningOf(
        estimated.calls,
        (calls) =>
          `${calls} to ${named(estimated.ids)} reported no token usage; for the limit it was estimated from the texts`,
      ),
    ],
  };
}

function warningOf(calls: number, text: (calls: string) => string): readonly Problem[] {
  return calls === 0 ? [] : [{ code: 'INVALID_CONFIG', message: text(counted(calls, 'call')) }];
}

function named(ids: ReadonlySet<string>): string {
  return [...ids]
    .sort()
    .map((id) => `"${id}"`)
    .join(', ');
}

function budgetSpent(
  { calls, tokens, cost, estimated }: Readonly<Record<'calls' | 'tokens' | 'cost' | 'estimated', number>>,
  { maxCalls, maxTokens, maxCost }: BudgetLimits,
): CriteriaError {
  const reached = [
    ...(maxCalls !== undefined && calls >= maxCalls ? [`${calls} of ${maxCalls} calls (--max-calls)`] : []),
    ...(maxTokens !== undefined && tokens >= maxTokens ? [`${tokens} of ${maxTokens} tokens (--max-tokens)`] : []),
    ...(maxCost !== undefined && cost >= maxCost ? [`${rounded(cost)} of ${maxCost} (--max-cost)`] : []),
  ];
  const note =
    estimated === 0
      ? ''
      : `; of ${counted(estimated, 'call')} estimated from the texts, as no token usage was reported`;
  const message = `the budget is spent: ${reached.join(', ')}${note}; finished work is saved: raise the limit and resume the run`;
  return new CriteriaError({ code: 'BUDGET_SPENT', message });
}

/** Rounds a sum of prices, because its last digits are meaningless. */
function rounded(cost: number): number {
  return Number(cost.toPrecision(6));
}
