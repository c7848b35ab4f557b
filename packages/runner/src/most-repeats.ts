/** How often a case can run in one run. A plan that asks for more is a slip, or was changed. */
export const MOST_REPEATS = 10_000;
