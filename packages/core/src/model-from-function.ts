import { CriteriaError, contentText } from '@agent-criteria/formats';
import type { LanguageModel, ModelAnswer, ModelRequest } from './contracts/language-model.ts';

/**
 * A model as a plain function: the whole prompt as one text in, its answer out. What it needs besides the text (a JSON
 * Schema, temperature) is in `request`.
 */
export type ModelFunction = (
  prompt: string,
  request: ModelRequest,
  signal: AbortSignal,
) => FunctionAnswer | Promise<FunctionAnswer>;

/** A text, or as much of an answer as the function knows; `finish` defaults to `stop`, and usage to unknown. */
export type FunctionAnswer =
  | string
  | {
      readonly text: string;
      readonly finish?: ModelAnswer['finish'] | undefined;
      readonly usage?: ModelAnswer['usage'] | undefined;
    };

/**
 * A language model of a function. A call fails where the function returns neither a text nor an object that has one.
 *
 * @param id As recorded with each opinion.
 */
export function modelFromFunction(id: string, answer: ModelFunction): LanguageModel {
  return {
    id,
    async generate(request, signal) {
      signal.throwIfAborted();
      const said = await answer(promptOf(request), request, signal);
      const given = answerOf(said, id);
      const { finish = 'stop', usage = {}, ...more } = given;
      return { finish, usage, ...more, from: 'live' };
    },
  };
}

/** From plain JavaScript, a function may return whatever it likes. */
function answerOf(said: FunctionAnswer, id: string): Exclude<FunctionAnswer, string> {
  if (typeof said === 'string') return { text: said };
  // What was blocked or cut off may have left no text.
  if (typeof said === 'object' && said !== null && (typeof said.text === 'string' || isEnded(said.finish))) return said;
  const message = `the function of the model "${id}" returned ${described(said)}: return the answer as a text, or as { text }`;
  throw new CriteriaError({ code: 'CALL_FAILED', message });
}

function isEnded(finish: unknown): boolean {
  return finish !== undefined && finish !== 'stop';
}

const KEYS_SHOWN = 10;

/** Of an object only its keys: what a model says may be long, or private. */
function described(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null)
    return value === null || value === undefined ? `${value}` : `a ${typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an object without keys';
  if (keys.includes('text')) return 'an object whose "text" is not a string';
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => JSON.stringify(key.slice(0, 40)));
  const more = keys.length > shown.length ? ` and ${keys.length - shown.length} more` : '';
  return `an object without "text" (it has ${shown.join(', ')}${more})`;
}

function promptOf({ system, messages }: ModelRequest): string {
  const texts = messages.map((message) => contentText(message));
  return [...(system === undefined ? [] : [system]), ...texts].join('\n\n');
}
