import type { LanguageModel, ModelAnswer, ModelRequest } from '../contracts/language-model.ts';

/** An answer. Default: an empty string with `finish: 'stop'` and no usage, from a live model. */
export type ScriptedAnswer = { readonly [K in keyof ModelAnswer]?: ModelAnswer[K] | undefined };

/** A scripted model's reply: a string, an answer, an error to throw, or a function of the request. */
export type ScriptedReply = string | ScriptedAnswer | Error | ((request: ModelRequest) => string | ScriptedAnswer);

/** A model that answers from a list and keeps the requests. */
export interface ScriptedModel extends LanguageModel {
  readonly requests: readonly ModelRequest[];
}

/**
 * Creates a language model that gives these replies in order, one per call, and rejects further calls. A function
 * answers every call.
 */
export function scriptedModel(
  script: readonly ScriptedReply[] | ((request: ModelRequest) => string | ScriptedAnswer),
  id = 'scripted',
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id,
    requests,
    async generate(request, signal) {
      signal.throwIfAborted();
      const index = requests.push(request) - 1;
      const reply = typeof script === 'function' ? script : script[index];
      if (reply === undefined)
        throw new Error(`the script of model "${id}" has ${requests.length - 1} replies, but was called once more`);
      if (reply instanceof Error) throw reply;
      const given = typeof reply === 'function' ? reply(request) : reply;
      const answer: ScriptedAnswer = typeof given === 'string' ? { text: given } : given;
      const { text = '', finish = 'stop', usage = {}, from = 'live', ...more } = answer;
      return { text, finish, usage, from, ...more };
    },
  };
}
