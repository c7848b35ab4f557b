import { CriteriaError, type EvalCase, type Json, type Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { jsonText, parseJsonText } from '@agent-criteria/project/files';
import type { CaseText } from '../api.ts';
import { refusal } from '../http/refusal.ts';
import { readCase } from './read-case.ts';

/** Formats a case as in files: keys in snake case, with unknown fields. */
export function writeCaseText(evalCase: EvalCase): CaseText {
  const set = writeEvalSet({ evalSetId: 'any', evalCases: [evalCase] });
  const [written = null] = fieldOf(set, 'evalCases') as readonly Json[];
  return { text: jsonText(written).trimEnd(), evalCase, notes: [] };
}

/**
 * Parses a case from JSON with comments and trailing commas; a set with a single case is accepted, too.
 * @throws A refusal, 422, with every mistake.
 */
export function readCaseText(text: string): CaseText {
  const { value, warnings } = parsed(text);
  const { one, isSet } = onlyCase(value);
  const notes = warnings.map(({ code, message }) => (code === 'NOT_JSON' ? COMMENTS : sentence(message)));
  return { text, evalCase: readCase(one), notes: isSet ? [...notes, SET] : notes };
}

const COMMENTS =
  'Comments and trailing commas are read here, and not saved: files of eval sets are plain JSON, as ADK reads it.';
const SET = 'This is a whole eval set: its only case is taken, and nothing else of it.';

function parsed(text: string): { readonly value: unknown; readonly warnings: readonly Problem[] } {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw refusal(
      422,
      error.problems.map(({ code, message }) => ({ type: code, loc: ['body', 'text'], msg: message })),
    );
  }
}

function onlyCase(value: unknown): { readonly one: unknown; readonly isSet: boolean } {
  const cases = Array.isArray(value) ? value : fieldOf(value, 'evalCases');
  if (!Array.isArray(cases) || (isObject(value) && fieldOf(value, 'evalId') !== undefined)) {
    return { one: value, isSet: false };
  }
  if (cases.length === 1) return { one: cases[0], isSet: true };
  const msg = `This holds ${cases.length} cases, and one is edited here: paste one of them.`;
  throw refusal(422, [{ type: 'value_error', loc: ['body', 'text'], msg }]);
}

function sentence(message: string): string {
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}
