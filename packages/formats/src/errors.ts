/** The codes of errors and problems. Codes are stable; messages are not. */
export type ErrorCode =
  // files and values
  | 'FILE_NOT_FOUND'
  | 'FILE_TOO_LARGE'
  | 'FILE_UNREADABLE'
  | 'NOT_JSON'
  | 'INVALID_DATA'
  | 'UNKNOWN_KEY'
  | 'KEY_SPELT_TWICE'
  | 'UNSAFE_KEY'
  | 'UNSAFE_INTEGER'
  | 'DUPLICATE_ID'
  | 'EMPTY'
  | 'UNKNOWN_FORMAT'
  // configuration
  | 'INVALID_CONFIG'
  | 'UNKNOWN_CRITERION'
  | 'INVALID_OPTION'
  | 'INVALID_THRESHOLD'
  | 'NEEDS_UNMET'
  | 'MISSING_ENVIRONMENT'
  | 'UNKNOWN_MODEL'
  | 'UNKNOWN_SIMULATOR'
  | 'UNKNOWN_CASE'
  // plugins
  | 'INVALID_PLUGIN'
  | 'DUPLICATE_PLUGIN'
  | 'UNSUPPORTED_SPEC_VERSION'
  | 'REGISTRY_FROZEN'
  // running
  | 'AGENT_NOT_FOUND'
  | 'AGENT_FAILED'
  | 'NOT_SUPPORTED'
  | 'STUB_UNMATCHED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'CALL_FAILED'
  | 'BUDGET_SPENT'
  // recordings of calls
  | 'RECORDING_MISSING'
  | 'RECORDING_UNREADABLE'
  | 'RECORDING_STALE'
  // results
  | 'EVALUATION_FAILED'
  // run folders
  | 'RUN_NOT_FOUND'
  | 'RUN_CHANGED'
  | 'RUN_LOCKED'
  | 'WRITE_FAILED'
  | 'USAGE'
  | 'INTERNAL';

/** An error or a warning. */
export interface Problem {
  readonly code: ErrorCode;
  /** One or two sentences: what is wrong, and what to do. */
  readonly message: string;
  /** The path within the value, such as `$.eval_cases[0].eval_id`, spelt as in the file. */
  readonly path?: string | undefined;
  /** The file, as the user named it. */
  readonly file?: string | undefined;
}

/** An error as plain JSON, for inferences and result files. */
export interface ErrorInfo {
  readonly code: ErrorCode;
  readonly message: string;
  /** The stack, if an `Error` was thrown. */
  readonly stack?: string | undefined;
}

const marker = Symbol.for('@agent-criteria/core/CriteriaError');

/**
 * The error class of all packages. Recognise it with `CriteriaError.is(error)`: `instanceof` fails if two copies of
 * core are installed.
 */
export class CriteriaError extends Error {
  override readonly name = 'CriteriaError';
  readonly [marker] = true;
  /** The code of the first problem. */
  readonly code: ErrorCode;
  /** All problems that were found, at least one. */
  readonly problems: readonly Problem[];
  /** Warnings that were found along with the problems. */
  readonly warnings: readonly Problem[];
  /** The number of requests that a failed call to a model or service sent. Absent if unknown. */
  readonly requests?: number | undefined;

  constructor(
    problems: Problem | readonly Problem[],
    options?: {
      readonly cause?: unknown;
      readonly warnings?: readonly Problem[] | undefined;
      readonly requests?: number | undefined;
    },
  ) {
    const list: readonly Problem[] = Array.isArray(problems) ? problems : [problems as Problem];
    super(list.map(formatProblem).join('\n'), options);
    this.code = list[0]?.code ?? 'INTERNAL';
    this.problems = list;
    this.warnings = options?.warnings ?? [];
    if (options?.requests !== undefined) this.requests = options.requests;
  }

  static is(value: unknown): value is CriteriaError {
    return typeof value === 'object' && value !== null && (value as { [marker]?: unknown })[marker] === true;
  }
}

/** Formats a problem: file and path, then the message. */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.path].filter((part) => part !== undefined).join(' ');
  return place === '' ? problem.message : `${place}: ${problem.message}`;
}

/**
 * Converts any thrown value to plain JSON. Never throws. @param code The code to use unless it is a `CriteriaError`.
 */
export function toErrorInfo(error: unknown, code: ErrorCode = 'INTERNAL'): ErrorInfo {
  try {
    if (CriteriaError.is(error)) return { code: error.code, message: String(error.message) };
    if (error instanceof Error) {
      const { stack } = error;
      return { code, message: String(error.message || error.name), ...(typeof stack === 'string' ? { stack } : {}) };
    }
    return { code, message: describeThrown(error) };
  } catch {
    // A getter, a proxy or a custom `toString` can throw.
    return { code, message: 'an unreadable error was thrown' };
  }
}

function describeThrown(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    return Object.prototype.toString.call(value);
  }
}

const SKIPPED: ReadonlySet<string> = new Set<ErrorCode>(['BUDGET_SPENT', 'RECORDING_MISSING', 'RECORDING_UNREADABLE']);

/**
 * Whether an error means that a call to a model or service was never made, because the budget is spent or a recording
 * lacks the answer. Rethrow such an error: it must not become a score.
 */
export function isCallSkipped(error: unknown): error is CriteriaError {
  return CriteriaError.is(error) && SKIPPED.has(error.code);
}
