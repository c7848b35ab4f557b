import type { CaseOutcome } from '../outcome.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import type { CriterionFacts } from '../instrument.ts';

/** Whether a repeat passed, or `null` if it could not be judged. */
export type Pass = boolean | null;

export const exactMatch: CriterionFacts = {
  name: 'exact_match',
  range: { min: 0, max: 1, better: 'higher' },
  decides: true,
  byDefault: false,
  threshold: 1,
  options: 'options',
  judges: [],
  origin: 'test 1.0.0',
};

/** Creates a case whose only criterion, `exact_match`, scores 1 for a passing repeat and 0 for a failing one. */
export function caseOf(caseId: string, passes: readonly Pass[], more: Partial<CaseOutcome> = {}): CaseOutcome {
  const judged = passes.filter((pass) => pass !== null);
  const scores = passes.map((pass) => (pass === null ? null : pass ? 1 : 0));
  const share = judged.filter(Boolean).length / judged.length;
  const verdict = judged.length < passes.length ? 'not-evaluated' : share === 1 ? 'passed' : 'failed';
  return {
    setId: 'set',
    caseId,
    group: null,
    verdict,
    asked: caseId,
    version: caseId,
    criteria: [
      {
        name: 'exact_match',
        verdict,
        score: judged.length === 0 ? null : share,
        coverage: judged.length / passes.length,
        scores,
      },
    ],
    repeats: passes.map((passed, repeat) => ({ repeat, passed, answer: `${caseId} ${passed}` })),
    ...more,
  };
}

export function runOf(cases: readonly CaseOutcome[], more: Partial<RunOutcomes> = {}): RunOutcomes {
  return {
    id: 'run',
    agent: 'agent.ts',
    startedAt: 0,
    finished: true,
    compat: null,
    criteria: [exactMatch],
    cases,
    ...more,
  };
}

/** Creates a run with one case per list of repeats, each named by its index. */
export function runOfPasses(cases: readonly (readonly Pass[])[], more: Partial<RunOutcomes> = {}): RunOutcomes {
  return runOf(
    cases.map((passes, index) => caseOf(`case-${index}`, passes)),
    more,
  );
}
