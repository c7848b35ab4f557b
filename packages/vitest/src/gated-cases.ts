import type { OpenedEvaluation } from '@agent-criteria/project/runs';
import type { GateRecord } from '@agent-criteria/results';
import type { EvaluatedCase, GatesOfCases } from '@agent-criteria/runner';

/**
 * Collects the results of cases, whose tests run in any order and possibly more than once, and evaluates the gates over
 * them.
 *
 * @param total The number of cases, counted once per agent.
 */
export function gatedCases({ gates }: Pick<OpenedEvaluation, 'gates'>, total: number) {
  const begun = new Set<string>();
  const ended = new Map<string, EvaluatedCase>();
  let evaluated: Promise<readonly GateRecord[]> | null = null;

  /**
   * Evaluates the gates. Returns `waiting` if some cases have not run, so that gates cannot be evaluated yet, or
   * `unknown` if some ran without a result.
   */
  async function results(): Promise<
    { readonly results: readonly GateRecord[] } | { readonly waiting: string } | { readonly unknown: string }
  > {
    if (begun.size < total) {
      return { waiting: `a gate is about the whole run, and ${begun.size} of ${total} cases ran` };
    }
    if (ended.size < total) return { unknown: `${total - ended.size} of ${total} cases came to no result` };
    evaluated ??= gates === null ? Promise.resolve([]) : gates.results([...ended.values()]);
    return { results: await evaluated };
  }

  return {
    begin(key: string): void {
      begun.add(key);
      ended.delete(key);
      evaluated = null;
    },
    end(key: string, one: EvaluatedCase): void {
      // A case that could not be completed has no result.
      if (gates !== null && one.problems.length === 0) ended.set(key, one);
    },
    results,
    /** Returns the results for the saved run, or `null` if there are no gates or not every case ran. */
    async record(): Promise<GatesOfCases | null> {
      // If only some cases ran, the gate tests report it.
      const found = gates === null ? null : await results().catch(() => null);
      return gates !== null && found !== null && 'results' in found ? { decide: gates.decide, ...found } : null;
    },
  };
}
