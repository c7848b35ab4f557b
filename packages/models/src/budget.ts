import { CriteriaError, type From, type LanguageModel, type Problem, type State } from '@agent-criteria/core';
import { costOf, type Prices, tokenCounts } from '@agent-criteria/results';
import { onAbort } from './abort.ts';
import type { Attempt } from './attempt.ts';
import { type CallWatcher, type Spent, tell } from './call-event.ts';
import { checkNumbers } from './check-numbers.ts';
import { guessUsage } from './guess-tokens.ts';
import { holding } from './nesting.ts';
import { wrapModel } from './wrap-model.ts';

/** What calls may take together. Only what is sent to a model or a service counts, and each attempt of it. */
export interface BudgetLimits {
  /** Never exceeded. 0: none at all. */
  readonly maxCalls?: number | undefined;
  /** Sent and received; guessed from the texts where an answer does not tell. Exceeded by what was under way when it was reached. */
  readonly maxTokens?: number | undefined;
  /** In the currency of the prices. Exceeded by what was under way when it was reached. */
  readonly maxCost?: number | undefined;
}

export interface BudgetOptions extends BudgetLimits {
  readonly prices?: Prices | undefined;
  readonly onEvent?: CallWatcher | undefined;
}

/** What an answer took. */
export interface Used {
  readonly usage: State;
  readonly from: From;
  /** What it is reckoned with where `usage` tells no tokens; absent: it takes none. */
  readonly guess?: (() => State) | undefined;
}

export interface Budget {
  /**
   * Makes the attempt if the budget allows it. Once it does not, no attempt is made any more: those under way end, then
   * all others reject with a CriteriaError BUDGET_SPENT.
   */
  run<T>(to: string, attempt: Attempt<T>, signal: AbortSignal, used: (answer: T) => Used): Promise<T>;
  spent(): Spent;
  /** What somebody who reads the costs should know. */
  warnings(): readonly Problem[];
}

/** The same model under a budget, which all models of a run share. Put it inside of limits, so that it decides as late as it can. */
export function withBudget(model: LanguageModel, budget: Budget): LanguageModel {
  return wrapModel(model, (request, signal) =>
    budget.run(
      model.id,
      (own) => model.generate(request, own),
      signal,
      (answer) => ({ ...answer, guess: () => guessUsage(request, answer.text) }),
    ),
  );
}

/**
 * What keeps a budget from working, to be asked before a run: a limit of costs over models whose prices nobody knows.
 * @param ids The ids of all models that the run may ask.
 */
export function checkBudget({ maxCost }: BudgetLimits, prices: Prices | undefined, ids: readonly string[]): Problem[] {
  if (maxCost === undefined) return [];
  const priced = (id: string): boolean => {
    const own = prices !== undefined && Object.hasOwn(prices, id) ? (prices[id] ?? {}) : {};
    return ['inputTokens', 'outputTokens'].every((name) => Object.hasOwn(own, name) && isPrice(own[name]));
  };
  const missing = [...new Set(ids)].filter((id) => !priced(id));
  return missing.map((id) => ({
    code: 'INVALID_CONFIG',
    path: `$.prices[${JSON.stringify(id)}]`,
    message: `a limit of costs needs prices of input and output: say what one token of "${id}" costs, as prices: { ${JSON.stringify(id)}: { inputTokens: 3e-7, outputTokens: 25e-7 } }, or limit calls or tokens`,
  }));
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** @throws CriteriaError USAGE for numbers that make no sense, or INVALID_CONFIG for a limit of costs without any prices. */
export function openBudget({ prices, onEvent, ...limits }: BudgetOptions = {}): Budget {
  const { maxCalls, maxTokens, maxCost } = limits;
  checkNumbers({ fromZero: { maxCalls, maxTokens }, amounts: { maxCost } });
  if (maxCost !== undefined && prices === undefined) {
    const message = 'maxCost needs prices: say what the tokens of each model cost, or limit calls or tokens';
    throw new CriteriaError({ code: 'INVALID_CONFIG', message });
  }
  const totals = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0, unpriced: 0 };
  const unpriced = new Set<string>();
  /** Of answers that told no tokens: what the limits take for theirs. */
  const guessed = { calls: 0, tokens: 0, cost: 0, ids: new Set<string>() };
  /** Calls that hold back the end: those inside of which another one runs do not. */
  let underWay = 0;
  let told = false;
  const waiting = new Set<() => void>();

  const tokens = (): number => totals.inputTokens + totals.outputTokens + guessed.tokens;
  const isSpent = (): boolean =>
    totals.calls >= (maxCalls ?? Number.POSITIVE_INFINITY) ||
    tokens() >= (maxTokens ?? Number.POSITIVE_INFINITY) ||
    totals.cost + guessed.cost >= (maxCost ?? Number.POSITIVE_INFINITY);

  function wake(): void {
    const all = [...waiting];
    waiting.clear();
    for (const go of all) go();
  }

  function change(by: 1 | -1): void {
    underWay += by;
    if (by === -1) wake();
  }

  /** Until something has ended. */
  function ended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const forget = onAbort(signal, () => reject(signal.reason));
      waiting.add(() => {
        forget();
        resolve();
      });
    });
  }

  /** A limit that takes the unknown for nothing is none. */
  function reckon(to: string, usage: State): void {
    const counts = tokenCounts(usage);
    guessed.calls += 1;
    guessed.tokens += (counts?.inputTokens ?? 0) + (counts?.outputTokens ?? 0);
    guessed.cost += costOf({ to, usage, from: 'live' }, prices) ?? 0;
    guessed.ids.add(to);
  }

  function add(to: string, { usage, from, guess }: Used): void {
    if (from !== 'live') {
      totals.calls -= 1;
      return;
    }
    const counts = tokenCounts(usage);
    if (counts === null && guess !== undefined && (maxTokens ?? maxCost) !== undefined) reckon(to, guess());
    totals.inputTokens += counts?.inputTokens ?? 0;
    totals.outputTokens += counts?.outputTokens ?? 0;
    const cost = costOf({ to, usage, from }, prices);
    if (cost === undefined) {
      totals.unpriced += 1;
      unpriced.add(to);
    } else {
      totals.cost += cost;
    }
  }

  return {
    async run(to, attempt, signal, used) {
      signal.throwIfAborted();
      while (isSpent()) {
        if (underWay === 0) {
          if (!told) tell(onEvent, { type: 'budget-spent', spent: { ...totals } });
          told = true;
          throw budgetSpent(
            { calls: totals.calls, tokens: tokens(), cost: totals.cost + guessed.cost, guessed: guessed.calls },
            limits,
          );
        }
        await ended(signal);
      }
      totals.calls += 1;
      let inside = true;
      underWay += 1;
      const hold = {
        suspend() {
          if (inside) change(-1);
          inside = false;
        },
        resume() {
          if (!inside) change(1);
          inside = true;
        },
      };
      try {
        const answer = await holding(hold, () => attempt(signal));
        add(to, used(answer));
        return answer;
      } finally {
        hold.suspend();
      }
    },
    spent: () => ({ ...totals }),
    warnings: () => [
      ...unpricedWarning(prices === undefined ? 0 : totals.unpriced, unpriced),
      ...guessedWarning(guessed.calls, guessed.ids),
    ],
  };
}

function unpricedWarning(calls: number, ids: ReadonlySet<string>): readonly Problem[] {
  if (calls === 0) return [];
  const message = `the cost of ${counted(calls)} to ${named(ids)} is unknown, and is in no sum: there is no price for what they reported`;
  return [{ code: 'INVALID_CONFIG', message }];
}

function guessedWarning(calls: number, ids: ReadonlySet<string>): readonly Problem[] {
  if (calls === 0) return [];
  const message = `${counted(calls)} to ${named(ids)} told no tokens; for the limit they were guessed from the texts`;
  return [{ code: 'INVALID_CONFIG', message }];
}

function counted(calls: number): string {
  return calls === 1 ? '1 call' : `${calls} calls`;
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
  const told = guessed === 0 ? '' : `; of ${counted(guessed)} guessed from the texts, as no tokens were told`;
  const message = `the budget is spent: ${reached.join(', ')}${told}; what was answered is kept: raise the limit and resume the run`;
  return new CriteriaError({ code: 'BUDGET_SPENT', message });
}

/** Sums of prices are full of last digits that nobody means. */
function rounded(cost: number): number {
  return Number(cost.toPrecision(6));
}
