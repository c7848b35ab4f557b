import { CriteriaError, type EvalCase } from '@agent-criteria/core';
import { parseEvalSet } from '@agent-criteria/formats/parse';

/** Reads a case that a client sent. @throws CriteriaError with every mistake in it, by its path in the case. */
export function parseCase(sent: Readonly<Record<string, unknown>>): EvalCase {
  try {
    const [evalCase] = parseEvalSet({ eval_set_id: 'sent', eval_cases: [sent] }).value.evalCases;
    if (evalCase !== undefined) return evalCase;
    throw new CriteriaError({ code: 'INVALID_DATA', message: 'this is no eval case' });
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const problems = error.problems.map(({ path, ...problem }) => {
      return { ...problem, path: path?.replace(/^\$\.eval_?cases\[0\]/i, '$') };
    });
    throw new CriteriaError(problems, { cause: error });
  }
}
