import { type CaseResult, stringifyJson } from '@agent-criteria/core/host';
import type { Prices, RunCall, RunInference } from '@agent-criteria/results';
import type { PlannedSet } from './planned-set.ts';
import type { KeepCall } from './record-calls.ts';
import { sha256 } from './run-folder/blobs.ts';
import { toRunCall } from './to-run-call.ts';
import { unfinishedCase } from './unfinished.ts';

/** Keeps in memory what a run comes to, by set. Of calls the names of their texts only, which would be long. */
export function remember(prices?: Prices) {
  const calls: RunCall[] = [];
  const name = (value: unknown) => sha256(stringifyJson(value ?? null));
  const results = new Map<string, CaseResult>();
  const inferences = new Map<string, RunInference[]>();
  const keyOf = (setId: string, caseId: string) => stringifyJson([setId, caseId]);
  return {
    hooks: {
      onCase: (result: CaseResult) => void results.set(keyOf(result.setId, result.caseId), result),
      onInference(recorded: RunInference) {
        const key = keyOf(recorded.key.setId, recorded.key.caseId);
        const before = inferences.get(key);
        if (before === undefined) inferences.set(key, [recorded]);
        else before.push(recorded);
      },
      onCall: ((call, request, answer) =>
        void calls.push(toRunCall(call, request, answer, name, prices))) satisfies KeepCall,
    },
    /** Whether every unit of the set has run now: nothing stands in a folder only. */
    isWhole({ plan: { evalSet } }: PlannedSet, repeats: number): boolean {
      return evalSet.evalCases.every(({ evalId }) => {
        const key = keyOf(evalSet.evalSetId, evalId);
        return results.has(key) && inferences.get(key)?.length === repeats;
      });
    },
    recorded(set: PlannedSet, repeats: number) {
      const { evalSetId, evalCases } = set.plan.evalSet;
      const own = ({ evalId }: { evalId: string }) =>
        [...(inferences.get(keyOf(evalSetId, evalId)) ?? [])].sort((a, b) => a.key.repeat - b.key.repeat);
      return {
        ...set,
        cases: evalCases.map(
          (evalCase) =>
            results.get(keyOf(evalSetId, evalCase.evalId)) ??
            unfinishedCase(evalSetId, evalCase.evalId, own(evalCase), repeats),
        ),
        inferences: evalCases.flatMap(own),
        calls: calls.filter(({ key }) => key.setId === evalSetId),
      };
    },
  };
}
