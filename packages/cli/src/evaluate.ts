import type { ConfigPlugins } from '@agent-criteria/core/eval-set';
import { createRegistry, defaultRegistry, pluginsOf, pluginValues, type Registry } from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/formats';
import {
  type EvaluateAgentOptions,
  type EvaluateOptions,
  evaluateAgent as evaluateAgentIn,
  evaluate as evaluateIn,
} from '@agent-criteria/project';

/** Calls `evaluate` of `@agent-criteria/project` with the criteria bundled with the command. */
export async function evaluate<const Plugins extends ConfigPlugins>(
  options: EvaluateOptions<Plugins>,
): ReturnType<typeof evaluateIn> {
  return evaluateIn(await withBuiltIn(options));
}

/** Calls `evaluateAgent` of `@agent-criteria/project` with the criteria bundled with the command. */
export async function evaluateAgent<const Plugins extends ConfigPlugins>(
  options: EvaluateAgentOptions<Plugins>,
): ReturnType<typeof evaluateAgentIn> {
  return evaluateAgentIn(await withBuiltIn(options));
}

/**
 * Adds the bundled criteria, except those whose name is already registered. Leaves a registry in the options unchanged.
 */
async function withBuiltIn<Options extends { readonly registry?: Registry | undefined; readonly config?: unknown }>(
  options: Options,
): Promise<Options> {
  // The project's function rejects anything but an object.
  if (!isObject(options) || options.registry !== undefined) return options;
  const { builtInCriteria } = await import('./built-in-criteria.ts');
  const values = isObject(options.config) ? pluginValues(options.config.plugins) : [];
  const registered = values.length > 0 ? [] : pluginsOf(defaultRegistry());
  const taken = new Set([...values, ...registered].flatMap(({ kind, name }) => (kind === 'criterion' ? [name] : [])));
  const more = builtInCriteria.filter(({ name }) => !taken.has(name));
  return { ...options, registry: createRegistry([...registered, ...more]) };
}
