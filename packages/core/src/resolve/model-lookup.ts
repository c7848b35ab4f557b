import type { LanguageModel } from '../contracts/language-model.ts';
import type { Registry } from '../registry/registry.ts';
import type { ModelLookup } from './plan.ts';

/** The judge used if none is configured, as in ADK. */
export const DEFAULT_JUDGE_MODEL = 'gemini-2.5-flash';

/**
 * Creates a lookup of models by name: the caller's model, or else one created once by the first registered provider
 * that accepts the name. `judge` is ADK's default model unless the caller has a model of that name.
 */
export function modelLookup(registry: Registry, given: ModelLookup | undefined): ModelLookup {
  const made = new Map<string, LanguageModel | undefined>();
  return (name) => {
    const model = given?.(name);
    if (model !== undefined) return model;
    const asked = name === 'judge' ? DEFAULT_JUDGE_MODEL : name;
    if (asked !== name) {
      const own = given?.(asked);
      if (own !== undefined) return own;
    }
    if (!made.has(asked)) {
      const provider = registry.list('model-provider').find((candidate) => candidate.accepts(asked));
      made.set(asked, provider?.create(asked, {}));
    }
    return made.get(asked);
  };
}
