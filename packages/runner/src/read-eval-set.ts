import { CriteriaError, didYouMean, type EvalSet, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { readEvalData } from '@agent-criteria/formats/migration';

const UNNAMED = 'cases';

/**
 * Reads an eval set from a value in any format that a file may have, or from an iterable or async iterable of cases.
 *
 * @param id The id for a set without one. Default: `cases` or, for old eval data, an id derived from the content.
 * @throws CriteriaError listing every mistake. Errors thrown by an iterable are rethrown unchanged.
 */
export async function evalSetFrom(value: unknown, id?: string): Promise<LoadedEvalSet> {
  if (Array.isArray(value) || !isIterable(value)) return readEvalSet(value, { id });
  const cases: unknown[] = [];
  for await (const evalCase of value) cases.push(evalCase);
  return readEvalCases(cases, { head: { eval_set_id: id ?? UNNAMED }, caseAt: (index) => `$[${index}]` });
}

/** Reads an eval set from JSON data. @param from The file, for messages, and the id for a set without one. */
export function readEvalSet(
  value: unknown,
  from: { readonly file?: string | undefined; readonly id?: string | undefined },
): LoadedEvalSet {
  const { id, ...where } = from;
  if (isCaseList(value)) {
    return readEvalCases(value, { head: { eval_set_id: id ?? UNNAMED }, caseAt: (index) => `$[${index}]`, ...where });
  }
  try {
    const { value: set, warnings, format } = readEvalData(value, from);
    const list = format === 'new' || format === 'agents-cli' ? '$.eval_cases' : '$';
    return { value: set, warnings, caseAt: (index) => (format === 'old-test' ? '$' : `${list}[${index}]`) };
  } catch (error) {
    if (CriteriaError.is(error))
      throw new CriteriaError(error.problems.map(({ file = where.file, ...rest }) => ({ file, ...rest })));
    throw error;
  }
}

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}

/** A loaded eval set, with warnings. */
export interface LoadedEvalSet {
  readonly value: EvalSet;
  readonly warnings: readonly Problem[];
  /** Returns the location of a case by its index: `$.eval_cases[0]`, or `line 3` in JSON Lines. */
  caseAt(index: number): string;
}

/** Whether a value is a list of eval cases, rather than data in an older format. */
function isCaseList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  const has = (item: unknown, ...keys: string[]) => isObject(item) && keys.some((key) => Object.hasOwn(item, key));
  const named = value.filter((item) => has(item, 'evalId', 'eval_id'));
  const led = ['conversation', 'conversationScenario', 'conversation_scenario'];
  if (named.some((item) => has(item, ...led))) return true;
  // A case without a conversation is reported later. Rows of old data may have an id too.
  return named.length > 0 && !value.some((item) => has(item, 'query', 'data'));
}

interface EvalCasesOptions {
  /** The set without its cases, with keys in either spelling. */
  readonly head: Readonly<Record<string, unknown>>;
  /** The location of the head, for messages. */
  readonly headAt?: string | undefined;
  caseAt(index: number): string;
  readonly file?: string | undefined;
}

/**
 * Reads loose eval cases as an eval set.
 * @throws CriteriaError listing every mistake and its location.
 */
export function readEvalCases(cases: readonly unknown[], options: EvalCasesOptions): LoadedEvalSet {
  const { head, headAt, caseAt, file } = options;
  const inPlace = (problem: Problem): Problem => {
    const { path, ...rest } = problem;
    const own = path === undefined ? undefined : placed(path, caseAt, headAt);
    return { ...rest, message: placedIn(problem.message, caseAt), path: own };
  };
  try {
    const read = readEvalData({ ...head, eval_cases: cases }, { file });
    // Python is not affected by the spelling of the head, because it only reads whole sets.
    const warnings = read.warnings.filter(({ path }) => path !== '$.evalSetId');
    return { value: read.value, warnings: warnings.map(inPlace), caseAt };
  } catch (error) {
    if (CriteriaError.is(error)) throw new CriteriaError(error.problems.map(inPlace), { cause: error });
    throw error;
  }
}

const CASE = /\$\.eval_cases\[(\d+)\]/;

function placed(path: string, caseAt: (index: number) => string, headAt: string | undefined): string | undefined {
  const [whole, index] = CASE.exec(path) ?? [];
  if (whole === undefined) {
    if (headAt === undefined || path.startsWith('$.eval_cases')) return undefined;
    return path === '$' ? headAt : `${headAt} ${path}`;
  }
  return placeBelow(caseAt(Number(index)), path.slice(whole.length));
}

/** Joins a location with a path inside the case: `$[3].rubrics`, `line 4 $.rubrics`. */
export function placeBelow(place: string, tail: string): string {
  if (tail === '') return place;
  return place.startsWith('$') ? `${place}${tail}` : `${place} $${tail}`;
}

/** Corrects the location of another case mentioned in a message, such as the first one with the same id. */
function placedIn(message: string, caseAt: (index: number) => string): string {
  return message.replace(CASE, (_whole, index: string) => caseAt(Number(index)));
}

/**
 * Returns the set with only these cases, in set order, or the whole set if no ids are given.
 * @throws CriteriaError for an unknown id, which ADK silently ignores.
 */
export function selectCases(evalSet: EvalSet, ids: readonly string[] | undefined, file?: string): EvalSet {
  if (ids === undefined || ids.length === 0) return evalSet;
  const known = new Set(evalSet.evalCases.map((evalCase) => evalCase.evalId));
  const chosen = new Set(ids);
  const unknown = [...chosen].filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const shown = [...known].slice(0, 20).join(', ') + (known.size > 20 ? `, and ${known.size - 20} more` : '');
    throw new CriteriaError(
      unknown.map((id) => ({
        code: 'UNKNOWN_CASE' as const,
        message: `the eval set "${evalSet.evalSetId}" has no case "${id}"${didYouMean(id, known) || `; it has: ${shown}`}`,
        file,
      })),
    );
  }
  return { ...evalSet, evalCases: evalSet.evalCases.filter((evalCase) => chosen.has(evalCase.evalId)) };
}
