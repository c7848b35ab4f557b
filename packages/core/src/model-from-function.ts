import type { LanguageModel, ModelAnswer, ModelRequest } from './contracts/language-model.ts';
import { contentText } from './data/accessors.ts';

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
 * A language model of a function.
 *
 * @param id As recorded with each opinion.
 */
export function modelFromFunction(id: string, answer: ModelFunction): LanguageModel {
  return {
    id,
    async generate(request, signal) {
      signal.throwIfAborted();
      const said = await answer(promptOf(request), request, signal);
      const given: Exclude<FunctionAnswer, string> = typeof said === 'string' ? { text: said } : said;
      const { finish = 'stop', usage = {}, ...more } = given;
      return { finish, usage, ...more, from: 'live' };
    },
  };
}

function promptOf({ system, messages }: ModelRequest): string {
  const texts = messages.map((message) => contentText(message));
  return [...(system === undefined ? [] : [system]), ...texts].join('\n\n');
}
