import { CriteriaError } from '@agent-criteria/core';
import { readEvalData } from '@agent-criteria/formats/migration';
import { isCaseList, type LoadedEvalSet, readEvalCases } from './eval-cases.ts';

const UNNAMED = 'cases';

/**
 * Eval data as a value, of any format that a file may have; also cases one by one, as an iterable or an async iterable.
 *
 * @param id The id of a set that has none of its own. Default `cases`; for old eval data, made from the content.
 * @throws CriteriaError with every mistake. What an iterable throws passes.
 */
export async function evalSetFrom(value: unknown, id?: string): Promise<LoadedEvalSet> {
  if (Array.isArray(value) || !isIterable(value)) return readEvalSet(value, { id });
  const cases: unknown[] = [];
  for await (const evalCase of value) cases.push(evalCase);
  return readEvalCases(cases, { head: { eval_set_id: id ?? UNNAMED }, caseAt: (index) => `$[${index}]` });
}

/** Eval data that was read from JSON. @param from Its file, for messages, and the id of a set that has none of its own. */
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
