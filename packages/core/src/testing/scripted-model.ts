import type { LanguageModel, ModelAnswer, ModelRequest } from '../contracts/language-model.ts';

/** As much of an answer as matters to a test: by default it is an empty text that ended by itself, from a live model. */
export type ScriptedAnswer = { readonly [K in keyof ModelAnswer]?: ModelAnswer[K] | undefined };

/** What a scripted model says: a text, an answer, a failure, or a function of the request. */
export type ScriptedReply = string | ScriptedAnswer | Error | ((request: ModelRequest) => string | ScriptedAnswer);

/** A model that answers from a list, and keeps the requests it got. */
export interface ScriptedModel extends LanguageModel {
  readonly requests: readonly ModelRequest[];
}

/**
 * A language model that gives these replies, one a call, in order. A call past the end rejects, as a test wants to know.
 * A single function answers every call.
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
      const said = typeof reply === 'function' ? reply(request) : reply;
      const answer: ScriptedAnswer = typeof said === 'string' ? { text: said } : said;
      const { text = '', finish = 'stop', usage = {}, from = 'live', ...more } = answer;
      return { text, finish, usage, from, ...more };
    },
  };
}
