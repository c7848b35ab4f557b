import type { ErrorCode, Problem } from '../errors.ts';

/**
 * Collects the problems of a value. Beyond a maximum, it only counts them, so that a broken file does not flood the
 * screen.
 */
export interface ProblemList {
  /** Calls `message` only if the problem is listed. */
  add(code: ErrorCode, path: string, message: () => string): void;
  list(): Problem[];
}

export function problemList(file?: string, most = 50): ProblemList {
  const problems: Problem[] = [];
  let more = 0;
  return {
    add(code, path, message) {
      if (problems.length < most) problems.push({ code, message: message(), path, file });
      else more++;
    },
    list() {
      const first = problems[0];
      if (more === 0 || !first) return problems;
      return [...problems, { code: first.code, message: `and ${more} more, which are not listed`, file }];
    },
  };
}
