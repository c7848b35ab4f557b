import type { LanguageModel } from '../contracts/language-model.ts';
import type { Tools } from '../contracts/tools.ts';

/** Creates tools for calling a criterion directly: with models by name, and with services called without a cache. */
export function testTools(
  options: {
    readonly compat?: 'adk' | null | undefined;
    readonly models?: Readonly<Record<string, LanguageModel>> | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Tools {
  const signal = options.signal ?? new AbortController().signal;
  return {
    signal,
    compat: options.compat ?? null,
    model(name) {
      const model = options.models?.[name];
      if (model === undefined) throw new Error(`this test has no model named "${name}"`);
      return model;
    },
    async call(ask, send) {
      return { answer: await send(ask.request, signal), from: 'live' };
    },
  };
}
