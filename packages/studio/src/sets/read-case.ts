import type { EvalCase, Json } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { parseEvalSet, writeEvalSet } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { jsonText, parseJsonText } from '@agent-criteria/project/files';
import type { CaseText } from '../api.ts';
import { mistake, parsed } from '../http/refusal.ts';

/**
 * Reads a case from a request, with keys in either spelling.
 * @throws A 422 refusal that lists every mistake in FastAPI's format.
 */
export function readCase(body: unknown): EvalCase {
  if (!isObject(body)) throw mistake(['body'], 'Send an eval case as JSON.', 'model_type');
  const { value } = parsed(
    () => parseEvalSet({ eval_set_id: 'body', eval_cases: [body] }, { allowEmpty: true }),
    locationOf,
  );
  const [evalCase] = value.evalCases;
  if (evalCase !== undefined) return evalCase;
  throw mistake(['body'], 'Send an eval case as JSON.', 'missing');
}

/** Converts `$.eval_cases[0].conversation[1].userContent` to a location in FastAPI's format. */
function locationOf(path: string): (string | number)[] {
  const inside = path.replace(/^\$\.eval_?[cC]ases\[0\]\.?/, '');
  const steps = inside.match(/[^.[\]]+/g) ?? [];
  return ['body', ...steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))];
}

/** Formats a case as in files: with snake-case keys and including unknown fields. */
export function writeCaseText(evalCase: EvalCase): CaseText {
  const set = writeEvalSet({ evalSetId: 'any', evalCases: [evalCase] });
  const [written = null] = fieldOf(set, 'evalCases') as readonly Json[];
  return { text: jsonText(written).trimEnd(), evalCase, notes: [] };
}

/**
 * Parses a case from JSON with comments and trailing commas. A set with a single case is accepted as well.
 * @throws A 422 refusal that lists every mistake.
 */
export function readCaseText(text: string): CaseText {
  const { value, warnings } = parsed(
    () => parseJsonText(text),
    () => ['body', 'text'],
  );
  const { one, isSet } = onlyCase(value);
  const notes = warnings.map(({ code, message }) => (code === 'NOT_JSON' ? COMMENTS : sentence(message)));
  return { text, evalCase: readCase(one), notes: isSet ? [...notes, SET] : notes };
}

const COMMENTS =
  'Comments and trailing commas are read here, and not saved: files of eval sets are plain JSON, as ADK reads it.';
const SET = 'This is a whole eval set: its only case is taken, and nothing else of it.';

function onlyCase(value: unknown): { readonly one: unknown; readonly isSet: boolean } {
  const cases = Array.isArray(value) ? value : fieldOf(value, 'evalCases');
  if (!Array.isArray(cases) || (isObject(value) && fieldOf(value, 'evalId') !== undefined)) {
    return { one: value, isSet: false };
  }
  if (cases.length === 1) return { one: cases[0], isSet: true };
  throw mistake(['body', 'text'], `This holds ${cases.length} cases, and one is edited here: paste one of them.`);
}

function sentence(message: string): string {
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}
