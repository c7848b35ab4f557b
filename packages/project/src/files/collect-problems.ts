import { CriteriaError, type Problem } from '@agent-criteria/core';

/** Several steps whose mistakes are reported in a single error. */
export interface ProblemCollection {
  /**
   * Returns the result of the work, or collects the problems of a CriteriaError and returns `undefined`. Rethrows other
   * errors.
   */
  attempt<T>(work: () => T | Promise<T>): Promise<T | undefined>;
  readonly problems: readonly Problem[];
  /** Keeps warnings, to be reported with or without mistakes. */
  warn(warnings: readonly Problem[]): void;
  /** The warnings, including those of failed attempts. */
  readonly warnings: readonly Problem[];
  /** Returns one error with all problems, each once. */
  toError(): CriteriaError;
  /** Throws if there are any problems. @throws CriteriaError as returned by `toError`. */
  throwIfAny(): void;
}

export function collectProblems(): ProblemCollection {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const toError = () => new CriteriaError(uniqueProblems(problems), { warnings: uniqueProblems(warnings) });
  return {
    problems,
    warnings,
    warn(more) {
      for (const warning of more) warnings.push(warning);
    },
    async attempt(work) {
      try {
        return await work();
      } catch (error) {
        if (!CriteriaError.is(error)) throw error;
        for (const problem of error.problems) problems.push(problem);
        for (const warning of error.warnings ?? []) warnings.push(warning);
        return undefined;
      }
    },
    toError,
    throwIfAny() {
      if (problems.length > 0) throw toError();
    },
  };
}

/**
 * Removes duplicate problems, preserving the order. A config shared by many sets would otherwise be reported for each.
 */
export function uniqueProblems(problems: readonly Problem[]): readonly Problem[] {
  const byText = new Map<string, Problem>();
  for (const problem of problems) {
    const { code, file, path, message } = problem;
    const text = JSON.stringify([code, file, path, message]);
    if (!byText.has(text)) byText.set(text, problem);
  }
  return [...byText.values()];
}
