import { type AnswerSource, CriteriaError, type Problem, type State } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { costOf, type Prices, tokenCounts } from '@agent-criteria/results';
import type { Spent } from './call-event.ts';

/** Limits for all calls together. Every attempt that is sent to a model or a service counts. */
export interface BudgetLimits {
  /** Never exceeded. 0: none at all. */
  readonly maxCalls?: number | undefined;
  /** Sent and received; estimated from the texts if an answer reports none. May be exceeded by calls in flight. */
  readonly maxTokens?: number | undefined;
  /** In the currency of the prices. Exceeded by what was under way when it was reached. */
  readonly maxCost?: number | undefined;
}

/** What an answer took. */
export interface Used {
  readonly usage: State;
  readonly from: AnswerSource;
  /** What it is reckoned with where `usage` tells no tokens; absent: it takes none. */
  readonly guess?: (() => State) | undefined;
}

/** The books of a budget: what was sent, what it took, and whether that is all there is. Makes no calls and knows no time. */
export interface Spending {
  /** A call is sent. */
  begin(): void;
  /** Its answer is there. What came from elsewhere than the service was no call. */
  add(target: string, used: Used): void;
  /** Whether a limit is reached. */
  isSpent(): boolean;
  spent(): Spent;
  /** What to say to calls that are not made any more. */
  refusal(): CriteriaError;
  /** What somebody who reads the costs should know. */
  warnings(): readonly Problem[];
}

export function openSpending({
  prices,
  ...limits
}: BudgetLimits & { readonly prices?: Prices | undefined } = {}): Spending {
  const { maxCalls, maxTokens, maxCost } = limits;
  const totals = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0, callsWithoutPrice: 0 };
  const unpriced = new Set<string>();
  /** The estimate that limits use for answers without reported tokens. */
  const guessed = { calls: 0, tokens: 0, cost: 0, ids: new Set<string>() };

  const tokens = (): number => totals.inputTokens + totals.outputTokens + guessed.tokens;
  const cost = (): number => totals.cost + guessed.cost;

  /** A limit that counted the unknown as 0 would never be reached. */
  function reckon(target: string, usage: State): void {
    const counts = tokenCounts(usage);
    guessed.calls += 1;
    guessed.tokens += (counts?.inputTokens ?? 0) + (counts?.outputTokens ?? 0);
    guessed.cost += costOf({ target, usage, from: 'live' }, prices) ?? 0;
    guessed.ids.add(target);
  }

  return {
    begin() {
      totals.calls += 1;
    },
    add(target, { usage, from, guess }) {
      if (from !== 'live') {
        totals.calls -= 1;
        return;
      }
      const counts = tokenCounts(usage);
      if (counts === null && guess !== undefined && (maxTokens ?? maxCost) !== undefined) reckon(target, guess());
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
    isSpent: () =>
      totals.calls >= (maxCalls ?? Number.POSITIVE_INFINITY) ||
      tokens() >= (maxTokens ?? Number.POSITIVE_INFINITY) ||
      cost() >= (maxCost ?? Number.POSITIVE_INFINITY),
    spent: () => ({ ...totals }),
    refusal: () => budgetSpent({ calls: totals.calls, tokens: tokens(), cost: cost(), guessed: guessed.calls }, limits),
    warnings: () => [
      ...unpricedWarning(prices === undefined ? 0 : totals.callsWithoutPrice, unpriced),
      ...guessedWarning(guessed.calls, guessed.ids),
    ],
  };
}

function unpricedWarning(calls: number, ids: ReadonlySet<string>): readonly Problem[] {
  if (calls === 0) return [];
  const message = `the cost of ${counted(calls, 'call')} to ${named(ids)} is unknown and not included in any total: there is no price for what they reported`;
  return [{ code: 'INVALID_CONFIG', message }];
}

function guessedWarning(calls: number, ids: ReadonlySet<string>): readonly Problem[] {
  if (calls === 0) return [];
  const message = `${counted(calls, 'call')} to ${named(ids)} reported no token usage; for the limit it was estimated from the texts`;
  return [{ code: 'INVALID_CONFIG', message }];
}

function named(ids: ReadonlySet<string>): string {
  return [...ids]
    .sort()
    .map((id) => `"${id}"`)
    .join(', ');
}

function budgetSpent(
  { calls, tokens, cost, guessed }: Readonly<Record<'calls' | 'tokens' | 'cost' | 'guessed', number>>,
  { maxCalls, maxTokens, maxCost }: BudgetLimits,
): CriteriaError {
  const reached = [
    ...(maxCalls !== undefined && calls >= maxCalls ? [`${calls} of ${maxCalls} calls (--max-calls)`] : []),
    ...(maxTokens !== undefined && tokens >= maxTokens ? [`${tokens} of ${maxTokens} tokens (--max-tokens)`] : []),
    ...(maxCost !== undefined && cost >= maxCost ? [`${rounded(cost)} of ${maxCost} (--max-cost)`] : []),
  ];
  const told =
    guessed === 0 ? '' : `; of ${counted(guessed, 'call')} estimated from the texts, as no token usage was reported`;
  const message = `the budget is spent: ${reached.join(', ')}${told}; finished work is saved: raise the limit and resume the run`;
  return new CriteriaError({ code: 'BUDGET_SPENT', message });
}

/** Sums of prices have meaningless last digits. */
function rounded(cost: number): number {
  return Number(cost.toPrecision(6));
}
