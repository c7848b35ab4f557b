import { CriteriaError, type EvalCase } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { parseEvalSet } from '@agent-criteria/formats/parse';
import { refusal } from '../http/refusal.ts';

/**
 * Reads a case from a request, with keys in either spelling. @throws A refusal, 422, with every mistake, in the form of
 * FastAPI.
 */
export function readCase(body: unknown): EvalCase {
  if (!isObject(body)) throw refusal(422, [{ type: 'model_type', loc: ['body'], msg: 'Send an eval case as JSON.' }]);
  try {
    const { value } = parseEvalSet({ eval_set_id: 'body', eval_cases: [body] }, { allowEmpty: true });
    const [evalCase] = value.evalCases;
    if (evalCase !== undefined) return evalCase;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw refusal(
      422,
      error.problems.map(({ code, message, path = '$' }) => ({ type: code, loc: locationOf(path), msg: message })),
    );
  }
  throw refusal(422, [{ type: 'missing', loc: ['body'], msg: 'Send an eval case as JSON.' }]);
}

/** Converts `$.eval_cases[0].conversation[1].userContent` to the form of FastAPI. */
function locationOf(path: string): (string | number)[] {
  const inside = path.replace(/^\$\.eval_?[cC]ases\[0\]\.?/, '');
  const steps = inside.match(/[^.[\]]+/g) ?? [];
  return ['body', ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))];
}
