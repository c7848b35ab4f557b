import { CriteriaError, contentText } from '@agent-criteria/formats';
import type { LanguageModel, ModelAnswer, ModelRequest } from './contracts/language-model.ts';

/**
 * A language model as a plain function. `prompt` joins the system instruction and all messages into one string;
 * `request` has the rest, such as the JSON Schema of the answer and the temperature.
 */
export type ModelFunction = (
  prompt: string,
  request: ModelRequest,
  signal: AbortSignal,
) => FunctionAnswer | Promise<FunctionAnswer>;

/** A function's answer: a string, or an object. `finish` defaults to `stop`, and `usage` to unknown. */
export type FunctionAnswer =
  | string
  | {
      readonly text: string;
      readonly finish?: ModelAnswer['finish'] | undefined;
      readonly usage?: ModelAnswer['usage'] | undefined;
    };

/**
 * Wraps a function as a language model. A call fails with CALL_FAILED if the function returns neither a string nor an
 * object with a `text`. Only an answer that `finish` marks as incomplete may lack it, and then gets an empty one.
 *
 * @param id Recorded with each opinion.
 */
export function modelFromFunction(id: string, answer: ModelFunction): LanguageModel {
  return {
    id,
    async generate(request, signal) {
      signal.throwIfAborted();
      const returned = await answer(promptOf(request), request, signal);
      const { finish = 'stop', usage = {}, ...more } = answerOf(returned, id);
      return { finish, usage, ...more, from: 'live' };
    },
  };
}

/** Checks at run time, because a function in plain JavaScript can return anything. */
function answerOf(answer: FunctionAnswer, id: string): Exclude<FunctionAnswer, string> {
  if (typeof answer === 'string') return { text: answer };
  if (typeof answer === 'object' && answer !== null) {
    if (typeof answer.text === 'string') return answer;
    // A blocked or truncated answer may have no text.
    if (answer.finish !== undefined && answer.finish !== 'stop') return { ...answer, text: '' };
  }
  const message = `the function of the model "${id}" returned ${described(answer)}: return the answer as a text, or as { text }`;
  throw new CriteriaError({ code: 'CALL_FAILED', message });
}

const KEYS_SHOWN = 10;

/** Describes a value's type; for an object, its keys but not its values, which may be long or private. */
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
