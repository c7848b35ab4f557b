import { CriteriaError, type EvalSet, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { readEvalData } from '@agent-criteria/formats/migration';

/** A loaded eval set, with what is odd about it. */
export interface LoadedEvalSet {
  readonly value: EvalSet;
  readonly warnings: readonly Problem[];
  /** Where a case stands in what was read, by its index: `$.eval_cases[0]`, or `line 3` of JSON Lines. */
  caseAt(index: number): string;
}

/** Whether a list is one of eval cases, and of no format before them. */
export function isCaseList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  const has = (item: unknown, ...keys: string[]) => isObject(item) && keys.some((key) => Object.hasOwn(item, key));
  const named = value.filter((item) => has(item, 'evalId', 'eval_id'));
  const led = ['conversation', 'conversationScenario', 'conversation_scenario'];
  if (named.some((item) => has(item, ...led))) return true;
  // A case without its conversation is told as such; a row of old data may have an id beside its own keys.
  return named.length > 0 && !value.some((item) => has(item, 'query', 'data'));
}

export interface EvalCasesOptions {
  /** The set less its cases, as written; its keys, in either spelling, may be any that a set has. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Where the head stands. */
  readonly headAt?: string | undefined;
  caseAt(index: number): string;
  readonly file?: string | undefined;
}

/**
 * Eval cases that do not stand in an eval set, as one.
 * @throws CriteriaError with every mistake, each where it was written.
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
    // What Python makes of a spelling in the head is no matter: it reads no set without its braces.
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

/** A place inside a case: `$[3].rubrics`, `line 4 $.rubrics`. */
export function placeBelow(place: string, tail: string): string {
  if (tail === '') return place;
  return place.startsWith('$') ? `${place}${tail}` : `${place} $${tail}`;
}

/** Messages name the place of another case, as the first one with an id. */
function placedIn(message: string, caseAt: (index: number) => string): string {
  return message.replace(CASE, (_whole, index: string) => caseAt(Number(index)));
}
