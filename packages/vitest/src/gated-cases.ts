import type { OpenedEvaluation } from '@agent-criteria/project/runs';
import type { GateRecord } from '@agent-criteria/results';
import type { EvaluatedCase, GatesOfCases } from '@agent-criteria/runner';

/** What gates are asked of: cases whose tests run in any order, and again. */
export interface GatedCases {
  begin(key: string): void;
  end(key: string, evaluated: EvaluatedCase): void;
  /** `waiting`: not all cases were asked for, so that nothing is said. `unknown`: one came to no result. */
  results(): Promise<
    { readonly results: readonly GateRecord[] } | { readonly waiting: string } | { readonly unknown: string }
  >;
  /** The results for the run that is kept; `null`: there are no gates, or not every case ran. */
  record(): Promise<GatesOfCases | null>;
}

/** @param total How many cases there are, with all agents together. */
export function gatedCases({ gates }: Pick<OpenedEvaluation, 'gates'>, total: number): GatedCases {
  const begun = new Set<string>();
  const ended = new Map<string, EvaluatedCase>();
  let results: Promise<readonly GateRecord[]> | null = null;
  const gated: GatedCases = {
    begin(key) {
      begun.add(key);
      ended.delete(key);
      results = null;
    },
    end(key, evaluated) {
      // Of what did not come to its end, nothing is known.
      if (gates !== null && evaluated.problems.length === 0) ended.set(key, evaluated);
    },
    async results() {
      if (begun.size < total) {
        return { waiting: `a gate is about the whole run, and ${begun.size} of ${total} cases ran` };
      }
      if (ended.size < total) return { unknown: `${total - ended.size} of ${total} cases came to no result` };
      results ??= gates === null ? Promise.resolve([]) : gates.results([...ended.values()]);
      return { results: await results };
    },
    async record() {
      // If only some cases ran, the tests of the gates have said so.
      const found = gates === null ? null : await gated.results().catch(() => null);
      return gates !== null && found !== null && 'results' in found ? { decide: gates.decide, ...found } : null;
    },
  };
  return gated;
}
