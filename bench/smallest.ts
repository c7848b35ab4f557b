/** Whether a benchmark is run only to check that it starts: one round of minimal work, without the peers. */
export const smallest = process.env.BENCH_SMALLEST === '1';

/** Returns the sizes to measure; in the smallest form only `least`. */
export function sizes(all: readonly number[], least: number): readonly number[] {
  return smallest ? [least] : all;
}

/** Returns the peers to measure alongside ours. The smallest form has none, so that they need not be installed. */
export async function peers<Value extends object>(load: () => Promise<Value>): Promise<Value | Record<never, never>> {
  return smallest ? {} : load();
}
