import type { RunInference } from './run-record.ts';

/** The numbers of tool calls that something else answered in place of the tool, by what did. */
export type SimulatedCounts = Readonly<Record<string, number>>;

/** Counts the simulated tool calls of inferences, as their traces mark them. */
export function simulatedIn(inferences: readonly Pick<RunInference, 'inference'>[]): SimulatedCounts {
  const counts = new Map<string, number>();
  for (const { inference } of inferences) {
    for (const { simulated } of inference.trace ?? []) {
      if (simulated !== undefined) counts.set(simulated, (counts.get(simulated) ?? 0) + 1);
    }
  }
  return Object.fromEntries(counts);
}

/** Adds two counts. Their order does not matter, except for that of the names. */
export function addSimulated(left: SimulatedCounts, right: SimulatedCounts): SimulatedCounts {
  const sum = new Map(Object.entries(left));
  for (const [by, count] of Object.entries(right)) sum.set(by, (sum.get(by) ?? 0) + count);
  return Object.fromEntries(sum);
}
