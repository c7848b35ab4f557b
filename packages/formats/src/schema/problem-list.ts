import type { ErrorCode, Problem } from '../errors.ts';

/** Problems of one value, the first fifty in full and the rest as a count, so that a broken file does not fill a screen. */
export interface ProblemList {
  /** The message is only asked for where it is shown. */
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
