import { CriteriaError, type ErrorCode, type Problem } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import { type RespellOptions, respell } from '../schema/respell.ts';
import { checkEvalConfig } from './check-eval-config.ts';
import { checkEvalSet, checkTurn } from './check-eval-set.ts';
import { type KindName, nameOfKind, otherKind } from './file-kind.ts';
import type {
  ConversationGenerationConfig,
  ConversationScenarios,
  EvalConfig,
  EvalSet,
  EvalSetResult,
  Invocation,
  SessionInput,
} from './model.ts';
import { type ModelName, modelSchema } from './model-schema.ts';
import { expandTurns } from './short-turn.ts';

// Parsers accept both spellings of keys and return camelCase. They add no defaults, and preserve nulls, unknown keys
// and key order.

/** A parsed value and its warnings. */
export interface Parsed<T> {
  readonly value: T;
  readonly warnings: readonly Problem[];
}

export interface ParseOptions {
  /** The file of the value, for problems. */
  readonly file?: string | undefined;
}

/**
 * Parses the content of an eval set file. Converts turns in the short format to ADK's format. `readEvalData` also reads
 * the older formats.
 *
 * @param options.allowEmpty Whether to accept a set without cases, as `eval_set create` creates it. Default `false`.
 * @throws CriteriaError with every mistake: wrong types, missing keys, a case with neither or both of `conversation`
 * and `conversation_scenario`, a conversation without turns, duplicate ids.
 */
export function parseEvalSet(
  value: unknown,
  options: ParseOptions & { readonly allowEmpty?: boolean | undefined } = {},
): Parsed<EvalSet> {
  if (Array.isArray(value)) {
    const message =
      'a list at the top is the format before eval sets: read it with readEvalData, or migrate it with migrateEvalData';
    throw new CriteriaError(problemOf('UNKNOWN_FORMAT', message, options));
  }
  const check = (read: unknown) => checkEvalSet(read, value, options);
  const { value: read, warnings } = parse<EvalSet>(value, 'EvalSet', 'evalSet', options, check);
  return { value: expandTurns(read) as EvalSet, warnings };
}

/**
 * Parses a turn of an eval set.
 *
 * @param options.path The path of the turn, for problems. Default `$`.
 * @throws CriteriaError with every mistake.
 */
export function parseInvocation(
  value: unknown,
  options: ParseOptions & { readonly path?: string | undefined } = {},
): Parsed<Invocation> {
  const { path } = options;
  const check = (read: unknown) => checkTurn(read, value, options);
  return parse<Invocation>(value, 'Invocation', null, options, check, { path });
}

/**
 * Parses the content of an eval config file. The options of criteria and of the user simulator are returned unchanged.
 *
 * @throws CriteriaError with every mistake: unknown keys, wrong types, thresholds that are not numbers.
 */
export function parseEvalConfig(value: unknown, options: ParseOptions = {}): Parsed<EvalConfig> {
  try {
    return parse<EvalConfig>(value, 'EvalConfig', 'config', options, () => checkEvalConfig(value, options), {
      code: 'INVALID_CONFIG',
      unknownKeys: 'error',
    });
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw new CriteriaError(error.problems.map(ignoredByAdk), { warnings: error.warnings, cause: error });
  }
}

/** Adds to the problem of an unknown config key that ADK ignores the key. */
function ignoredByAdk(problem: Problem): Problem {
  const { code, path = '', message } = problem;
  const isForeign = code === 'UNKNOWN_KEY' && /^\$\.[\w$]+$/.test(path) && message.includes('; known are ');
  if (!isForeign) return problem;
  const key = path.slice(2);
  return { ...problem, message: `${message}. ADK ignores it: remove it, or call it "_${key}"` };
}

/** Parses the content of a session input file. @throws CriteriaError with every mistake. */
export function parseSessionInput(value: unknown, options: ParseOptions = {}): Parsed<SessionInput> {
  return parse<SessionInput>(value, 'SessionInput', 'sessionInput', options);
}

/** Parses the content of a scenarios file. @throws CriteriaError with every mistake. */
export function parseConversationScenarios(value: unknown, options: ParseOptions = {}): Parsed<ConversationScenarios> {
  return parse<ConversationScenarios>(value, 'ConversationScenarios', 'scenarios', options);
}

/** Parses the content of a user simulation config file. @throws CriteriaError with every mistake. */
export function parseConversationGenerationConfig(
  value: unknown,
  options: ParseOptions = {},
): Parsed<ConversationGenerationConfig> {
  return parse<ConversationGenerationConfig>(value, 'ConversationGenerationConfig', 'generation', options);
}

/**
 * Parses the content of an eval set result file: an object, or a string of JSON, as older versions of ADK wrote it.
 *
 * @throws CriteriaError with every mistake.
 */
export function parseEvalSetResult(value: unknown, options: ParseOptions = {}): Parsed<EvalSetResult> {
  return parse<EvalSetResult>(
    typeof value === 'string' ? decode(value, options) : value,
    'EvalSetResult',
    'result',
    options,
  );
}

// Writers are the inverse of the parsers: they return plain JSON with ADK's snake_case keys. They throw a CriteriaError
// for wrong types, so that every written file can be read.

export function writeEvalSet(evalSet: EvalSet): Json {
  return write(expandTurns(evalSet) as EvalSet, 'EvalSet');
}

/** Preserves the spelling of criterion options; ADK reads both spellings. */
export function writeEvalConfig(config: EvalConfig): Json {
  return write(config, 'EvalConfig');
}

export function writeSessionInput(sessionInput: SessionInput): Json {
  return write(sessionInput, 'SessionInput');
}

export function writeConversationScenarios(scenarios: ConversationScenarios): Json {
  return write(scenarios, 'ConversationScenarios');
}

export function writeConversationGenerationConfig(config: ConversationGenerationConfig): Json {
  return write(config, 'ConversationGenerationConfig');
}

export function writeEvalSetResult(result: EvalSetResult): Json {
  return write(result, 'EvalSetResult');
}

function parse<T>(
  value: unknown,
  model: ModelName,
  kind: KindName | null,
  options: ParseOptions,
  check: (read: unknown) => readonly Problem[] = () => [],
  how: Pick<RespellOptions, 'code' | 'unknownKeys' | 'path'> = {},
): Parsed<T> {
  const other = kind === null ? null : otherKind(value, kind, options.file);
  if (kind !== null && other !== null) {
    const message = `this is ${other.what}, not ${nameOfKind(kind)}: ${other.remedy}`;
    throw new CriteriaError(problemOf('UNKNOWN_FORMAT', message, options));
  }
  const read = respell(value, modelSchema(model), { unknownKeys: 'keep', ...how, file: options.file });
  const own = check(read.value);
  if (own.length > 0 || read.problems.length > 0) throw new CriteriaError(together(read.problems, own));
  return { value: read.value as T, warnings: read.warnings };
}

/** Combines problems. At the same path, the more specific ones of our own check take precedence. */
function together(read: readonly Problem[], own: readonly Problem[]): readonly Problem[] {
  const paths = new Set(own.map((problem) => problem.path));
  return [...read.filter((problem) => problem.path === undefined || !paths.has(problem.path)), ...own];
}

function write(value: object, model: ModelName): Json {
  const written = respell(value, modelSchema(model), { unknownKeys: 'keep', spelling: 'snake' });
  if (written.problems.length > 0) throw new CriteriaError(written.problems);
  return written.value as Json;
}

function decode(text: string, options: ParseOptions): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new CriteriaError(
      problemOf('NOT_JSON', 'this text should contain JSON, as in old result files, but does not', options),
      { cause },
    );
  }
  throw new CriteriaError(problemOf('UNKNOWN_FORMAT', 'this text does not contain an eval set result', options));
}

function problemOf(code: ErrorCode, message: string, options: ParseOptions): Problem {
  return { code, message, path: '$', file: options.file };
}
