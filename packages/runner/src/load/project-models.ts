import type { LanguageModel, ModelLookup, Registry } from '@agent-criteria/core';
import type { LoadedProjectConfig } from './project-config.ts';

/** The name under which criteria ask for the model that judges. */
const JUDGE = 'judge';

/**
 * Models by name: what the caller gives, then what the project's config names. `judge` is whatever its `judge` says. A name
 * that neither knows is left to the registered providers, which the plan asks itself.
 */
export function projectModels(
  project: LoadedProjectConfig,
  registry: Registry,
  given?: ModelLookup | undefined,
): ModelLookup {
  const { models = {}, judge } = project.value;
  const made = new Map<string, LanguageModel | undefined>();
  const provided = (name: string): LanguageModel | undefined => {
    if (!made.has(name)) {
      const provider = registry.list('model-provider').find((candidate) => candidate.accepts(name));
      made.set(name, provider?.create(name, {}));
    }
    return made.get(name);
  };
  return (name) => {
    const own = given?.(name);
    if (own !== undefined) return own;
    const target = name === JUDGE && judge !== undefined ? judge : name;
    const model = Object.hasOwn(models, target) ? models[target] : undefined;
    if (typeof model === 'object') return model;
    const called = model ?? (target === name ? undefined : target);
    return called === undefined ? undefined : (given?.(called) ?? provided(called));
  };
}
