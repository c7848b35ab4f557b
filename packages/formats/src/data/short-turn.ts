import { turn } from '../eval-set/builders.ts';
import { isObject } from '../json.ts';
import { formatPath, type PathSegment, spelledPath } from '../schema/path.ts';
import { fits, is } from '../schema/read-as.ts';
import { fieldOf, keyOf } from '../schema/spelling.ts';
import type { ShortTurn } from './model.ts';

// A turn may have a short format: `{ "user": "How warm is it?", "answer": "21 °C", "calls": [] }`. Parsers convert it
// to ADK's format with `turn`, and only ADK's format is written.

/**
 * Converts turns in the short format to ADK's format. Anything else is kept, including short turns with values of a
 * wrong type.
 */
export function expandTurns(evalSet: unknown): unknown {
  const key = isObject(evalSet) ? keyOf(evalSet, 'evalCases') : undefined;
  if (!isObject(evalSet) || key === undefined) return evalSet;
  const cases = list(evalSet[key]);
  if (!cases.some(hasShortTurn)) return evalSet;
  const expanded = cases.map((evalCase) => {
    if (!isObject(evalCase) || !Array.isArray(evalCase.conversation)) return evalCase;
    return { ...evalCase, conversation: evalCase.conversation.map(expandTurn) };
  });
  return { ...evalSet, [key]: expanded };
}

function hasShortTurn(evalCase: unknown): boolean {
  return isObject(evalCase) && list(evalCase.conversation).some(isShort);
}

function isShort(turn: unknown): boolean {
  return isObject(turn) && Object.hasOwn(turn, 'user');
}

/** Lists the paths of turns in the short format in an eval set, such as `$.eval_cases[0].conversation[1]`. */
export function shortTurns(evalSet: unknown): readonly string[] {
  return list(fieldOf(evalSet, 'evalCases')).flatMap((evalCase, index) =>
    list(fieldOf(evalCase, 'conversation')).flatMap((one, at) => {
      const place: readonly PathSegment[] = ['evalCases', index, 'conversation', at];
      return isShort(one) ? [formatPath(spelledPath(place, evalSet))] : [];
    }),
  );
}

/** Expands a short turn. Keeps other keys, such as comments. */
function expandTurn(written: unknown): unknown {
  if (!fits<ShortTurn>(shape, written)) return written;
  const { user, answer, calls, rubrics, ...more } = written;
  return { ...turn(user, { answer, calls, rubrics }), ...more };
}

const shape = {
  user: is.text,
  answer: is.optional(is.orNull(is.text)),
  calls: is.optional(Array.isArray),
  rubrics: is.optional(Array.isArray),
};

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
