const MINUTE = 60_000;

/** Something that was begun: how much of what is counted, which may turn out to be more or less. */
export interface Begun {
  readonly at: number;
  amount: number;
}

/** How much was begun within the last minute, at any time: what providers count as "per minute". */
export interface Minute {
  /** Milliseconds until this much more may begin. What is more than a minute holds goes alone. */
  waitFor(amount: number, now: number): number;
  begin(amount: number, now: number): Begun;
}

export function openMinute(most: number): Minute {
  let begun: Begun[] = [];
  return {
    waitFor(amount, now) {
      begun = begun.filter(({ at }) => at + MINUTE > now);
      let sum = begun.reduce((total, one) => total + one.amount, 0);
      let wait = 0;
      for (const { at, amount: gone } of begun) {
        if (sum + amount <= most) break;
        sum -= gone;
        wait = at + MINUTE - now;
      }
      return wait;
    },
    begin(amount, now) {
      const one = { at: now, amount };
      begun.push(one);
      return one;
    },
  };
}
