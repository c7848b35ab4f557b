/** Every code that a `CriteriaError` or a `Problem` can carry. Codes are stable; messages are not. */
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

/** One mistake, or one warning: what is wrong, where, and what to do. */
export interface Problem {
  readonly code: ErrorCode;
  /** A whole sentence or two: what is wrong and what to do next. */
  readonly message: string;
  /** The place inside the value, as `$.eval_cases[0].eval_id`, in the spelling of the file. */
  readonly path?: string | undefined;
  /** The file, as the user named it. */
  readonly file?: string | undefined;
}

/** An error as plain JSON, for inferences and result files. */
export interface ErrorInfo {
  readonly code: ErrorCode;
  readonly message: string;
  /** The stack of the user's own code, where it threw. */
  readonly stack?: string | undefined;
}

const marker = Symbol.for('@agent-criteria/core/CriteriaError');

/**
 * The one error class. Recognise it with `CriteriaError.is(error)`, not `instanceof`: two installed copies of core
 * have two classes. `problems` holds every mistake found, at least one.
 */
export class CriteriaError extends Error {
  override readonly name = 'CriteriaError';
  readonly [marker] = true;
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  /** What was odd beside the mistakes, where somebody looked for both. */
  readonly warnings: readonly Problem[];
  /** How many requests a failed call to a model or service sent. Absent: unknown. */
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

/** A problem on one line: place first, then the message. */
export function formatProblem(problem: Problem): string {
  const place = [problem.file, problem.path].filter((part) => part !== undefined).join(' ');
  return place === '' ? problem.message : `${place}: ${problem.message}`;
}

/** Any thrown value as plain JSON. */
export function toErrorInfo(error: unknown, code: ErrorCode = 'INTERNAL'): ErrorInfo {
  try {
    if (CriteriaError.is(error)) return { code: error.code, message: String(error.message) };
    if (error instanceof Error) {
      const { stack } = error;
      return { code, message: String(error.message || error.name), ...(typeof stack === 'string' ? { stack } : {}) };
    }
    return { code, message: describeThrown(error) };
  } catch {
    // A getter, a proxy or a toString of somebody else: even looking at it throws.
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

const UNMADE: ReadonlySet<string> = new Set<ErrorCode>(['BUDGET_SPENT', 'RECORDING_MISSING', 'RECORDING_UNREADABLE']);

/**
 * Whether a call to a model or a service was never made: the budget is spent, or a recording lacks the answer. Neither an
 * answer nor a failure of whoever was asked: it ends the run, and nobody makes a score of it.
 */
export function isCallSkipped(error: unknown): error is CriteriaError {
  return CriteriaError.is(error) && UNMADE.has(error.code);
}
