import type { Interval } from '../interval.ts';

/** Computes the probability of each number of passes in `n` runs at a pass rate. */
export function binomial(n: number, rate: number): number[] {
  let shares = [1];
  for (let run = 0; run < n; run++) {
    const next = new Array<number>(run + 2).fill(0);
    for (const [passed, share] of shares.entries()) {
      next[passed]! += share * (1 - rate);
      next[passed + 1]! += share * rate;
    }
    shares = next;
  }
  return shares;
}

/** Computes exactly, without draws, how often an interval for `k` of `n` contains the rate, in percent. */
export function coverageOf(interval: (k: number, n: number) => Interval, n: number, rate: number): number {
  let covered = 0;
  for (const [k, share] of binomial(n, rate).entries()) {
    const { low, high } = interval(k, n);
    if (low <= rate && rate <= high) covered += share;
  }
  return 100 * covered;
}

export interface Stopped<Decision extends string> {
  /** The mean number of runs until the decision. */
  readonly runs: number;
  /** How often each decision is made, in percent. */
  readonly decided: Readonly<Record<Decision, number>>;
}

/** Computes how a series of runs at a given pass rate ends if a rule may stop it after each run, up to `most` runs. */
export function stopping<Decision extends string>(
  rate: number,
  most: number,
  decisions: readonly Decision[],
  rule: (k: number, n: number) => Decision | null,
): Stopped<Decision> {
  const decided = Object.fromEntries(decisions.map((decision) => [decision, 0])) as Record<Decision, number>;
  let open = new Map([[0, 1]]);
  let runs = 0;
  for (let n = 1; n <= most; n++) {
    const next = new Map<number, number>();
    const add = (k: number, share: number) => next.set(k, (next.get(k) ?? 0) + share);
    for (const [k, share] of open) {
      runs += share;
      add(k, share * (1 - rate));
      add(k + 1, share * rate);
    }
    for (const [k, share] of next) {
      const decision = rule(k, n);
      if (decision === null) continue;
      decided[decision] += 100 * share;
      next.delete(k);
    }
    open = next;
  }
  return { runs, decided };
}
