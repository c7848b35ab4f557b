import type { EngineOptions } from '../engine/work.ts';
import { caseStanding } from '../journal/case-standing.ts';
import { keyText } from '../key-text.ts';
import { listScorings } from './list-scorings.ts';
import type { RunPlan } from './plan-file.ts';
import { indexRun, unitStates } from './run-index.ts';

/**
 * Of a run whose cases may stop early: which repeats each case has. As many as it had decided by in a scoring, the last one that
 * came to its end; a case that came to none has all of them, so that what is missing is seen.
 */
export function repeatsThatRan(folder: string, plan: RunPlan): EngineOptions['repeatsOf'] {
  const all = Array.from({ length: plan.repeats }, (_, repeat) => repeat);
  const scorings = listScorings(folder)
    .reverse()
    .map((scoring) => {
      const states = [...unitStates(indexRun(folder, scoring))];
      return new Map(states.map((state) => [keyText(state.key), state]));
    });
  return (setId, { evalId: caseId }, variant) => {
    const ids = { setId, caseId, ...(variant !== undefined && { variant }) };
    for (const states of scorings) {
      const { verdict, units } = caseStanding(
        all.map((repeat) => states.get(keyText({ ...ids, repeat }))),
        null,
        true,
      );
      if (verdict !== null) return all.slice(0, units.length);
    }
    return all;
  };
}
