import { CriteriaError, isObject } from '@agent-criteria/formats';
import { closest } from '@agent-criteria/formats/schema';
import { compareVersions, validate as isVersion } from 'compare-versions';
import type { Plugin, PluginKind } from '../contracts/plugin.ts';
import { checkSpecVersion } from './check-spec-version.ts';

/** The plugin type of a kind. */
export type PluginOf<Kind extends PluginKind> = Extract<Plugin, { readonly kind: Kind }>;

/**
 * Plugins by kind and name. `get` and `list` check the contract version again, because another copy of core may share
 * the default registry and accept other versions.
 */
export interface Registry {
  /**
   * Adds a plugin. It replaces an older or equal version of the same plugin (same package and name), but not a newer
   * one.
   *
   * @throws CriteriaError INVALID_PLUGIN, UNSUPPORTED_SPEC_VERSION if it was built for another contract version,
   * DUPLICATE_PLUGIN if another package has registered the name, or REGISTRY_FROZEN.
   */
  register(plugin: Plugin): void;
  get<Kind extends PluginKind>(kind: Kind, name: string): PluginOf<Kind> | undefined;
  /** Lists the plugins of a kind in the order of their registration. */
  list<Kind extends PluginKind>(kind: Kind): readonly PluginOf<Kind>[];
  /** Returns an immutable copy. */
  freeze(): Registry;
}

const KINDS: readonly PluginKind[] = [
  'criterion',
  'model-provider',
  'user-simulator',
  'tool-simulator',
  'agent-adapter',
];
/** The methods that each kind requires. */
const METHODS: Readonly<Record<PluginKind, readonly string[]>> = {
  criterion: ['evaluate'],
  'model-provider': ['accepts', 'create'],
  'user-simulator': ['open'],
  'tool-simulator': ['open'],
  'agent-adapter': ['accepts', 'adapt'],
};
const CORE_OPTIONS = ['threshold', 'minCoverage', 'whenNotApplicable', 'agentCriteria'];

/** Creates a registry that contains `plugins`. @throws CriteriaError like `register`. */
export function createRegistry(plugins: Iterable<Plugin> = []): Registry {
  const registry = registryOver(new Map());
  for (const plugin of plugins) registry.register(plugin);
  return registry;
}

/**
 * Returns the registry to which plugin packages add themselves on import. It lives on `globalThis`, so that all
 * installed copies of core share it, and is a plain map, so that these copies may have different versions.
 */
export function defaultRegistry(): Registry {
  const slot = Symbol.for('@agent-criteria/core/registry/v1');
  const holder = globalThis as { [slot]?: Map<string, Plugin> };
  let plugins = holder[slot];
  if (plugins === undefined) {
    plugins = new Map();
    holder[slot] = plugins;
  }
  return registryOver(plugins);
}

/** Lists all plugins of a registry by kind. */
export function pluginsOf(registry: Registry): readonly Plugin[] {
  return KINDS.flatMap((kind): readonly Plugin[] => registry.list(kind));
}

/**
 * Registers a plugin in the default registry. Call it in the main entry of a plugin package. @throws CriteriaError like
 * `register`.
 */
export function registerPlugin(plugin: Plugin): void {
  defaultRegistry().register(plugin);
}

function registryOver(plugins: Map<string, Plugin>, frozen = false): Registry {
  return {
    register(plugin) {
      if (frozen) {
        throw new CriteriaError({
          code: 'REGISTRY_FROZEN',
          message: `cannot register "${plugin.name}": a run is using this copy of the registry; register plugins before it starts`,
        });
      }
      checkPlugin(plugin);
      const key = `${plugin.kind}:${plugin.name}`;
      const present = plugins.get(key);
      if (present === undefined) {
        plugins.set(key, plugin);
      } else if (present.origin.package !== plugin.origin.package) {
        throw new CriteriaError({
          code: 'DUPLICATE_PLUGIN',
          message:
            `two packages provide a ${plugin.kind} named "${plugin.name}": ${origin(present)} and ${origin(plugin)}. ` +
            'Import only one of them, or use your own registry: createRegistry([...]).',
        });
      } else if (compareVersions(plugin.origin.version, present.origin.version) >= 0) {
        plugins.set(key, plugin);
      }
    },
    get<Kind extends PluginKind>(kind: Kind, name: string) {
      const plugin = plugins.get(`${kind}:${name}`) as PluginOf<Kind> | undefined;
      if (plugin !== undefined) checkSpecVersion(plugin, kind);
      return plugin;
    },
    list<Kind extends PluginKind>(kind: Kind) {
      const found = [...plugins.values()].filter((plugin): plugin is PluginOf<Kind> => plugin.kind === kind);
      for (const plugin of found) checkSpecVersion(plugin, kind);
      return found;
    },
    freeze: () => registryOver(new Map(plugins), true),
  };
}

function origin(plugin: Plugin): string {
  return `${plugin.origin.package} ${plugin.origin.version}`;
}

/**
 * Checks a plugin at run time, because it may have been built for another contract version, or without type checking.
 */
function checkPlugin(plugin: unknown): asserts plugin is Plugin {
  if (!isObject(plugin) || !KINDS.includes(plugin.kind as PluginKind)) {
    throw invalid(`this is not a plugin: its kind must be one of ${KINDS.join(', ')}`);
  }
  const { name, origin: from } = plugin;
  if (typeof name !== 'string' || name === '') throw invalid(`a ${plugin.kind} has no name`);
  checkSpecVersion(plugin, plugin.kind as PluginKind);
  if (
    !isObject(from) ||
    typeof from.package !== 'string' ||
    typeof from.version !== 'string' ||
    !isVersion(from.version)
  ) {
    throw invalid(`the ${plugin.kind} "${name}" must have an origin: { package, version }, with a semantic version`);
  }
  const lacking = METHODS[plugin.kind as PluginKind].filter((method) => typeof plugin[method] !== 'function');
  if (lacking.length > 0) {
    const methods = Object.keys(plugin).filter((key) => typeof plugin[key] === 'function');
    const slip = lacking.flatMap((method) => closest(method, methods) ?? [])[0];
    const hint = slip === undefined ? '' : `; is "${slip}" a misspelling of it?`;
    throw invalid(`the ${plugin.kind} "${name}" has no ${lacking.join(', no ')} method${hint}`);
  }
  if ('options' in plugin || plugin.kind === 'criterion') checkOptions(plugin, name);
  if (plugin.kind === 'criterion') checkCriterion(plugin, name);
}

function checkOptions(plugin: Record<string, unknown>, name: string): void {
  const { options } = plugin;
  const schema = isObject(options) ? options.jsonSchema : undefined;
  const standard = isObject(options) ? options['~standard'] : undefined;
  if (!isObject(schema) || !isObject(standard) || typeof standard.validate !== 'function') {
    throw invalid(`the ${plugin.kind} "${name}" has no options schema; use optionsSchema(...) or noOptions`);
  }
  if (plugin.kind !== 'criterion') return;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const taken = CORE_OPTIONS.filter((option) => Object.hasOwn(properties, option));
  if (taken.length > 0) {
    throw invalid(`the criterion "${name}" must not have options named ${taken.join(', ')}: core reserves them`);
  }
}

function checkCriterion(plugin: Record<string, unknown>, name: string): void {
  const { range, aggregate, description, decides, scope } = plugin;
  const isRange =
    isObject(range) &&
    Number.isFinite(range.min) &&
    (range.max === null || (Number.isFinite(range.max) && Number(range.max) > Number(range.min)));
  if (!isRange) {
    throw invalid(
      `the criterion "${name}" must have a range: { min, max, better }, with min below max (null: no upper end)`,
    );
  }
  if (range.better !== 'higher' && range.better !== 'lower') {
    throw invalid(`the range of the criterion "${name}" needs "better": "higher" or "lower"`);
  }
  if (scope !== 'turn' && scope !== 'conversation') {
    throw invalid(`the criterion "${name}" must have the scope "turn" or "conversation"`);
  }
  if (typeof decides !== 'boolean') {
    const renamed = 'gates' in plugin ? '; `gates` is now `decides`' : '';
    throw invalid(
      `the criterion "${name}" must say whether it counts towards verdicts: \`decides: true\` or \`decides: false\`${renamed}`,
    );
  }
  if (typeof description !== 'string') throw invalid(`the criterion "${name}" must have a description`);
  if (aggregate !== undefined && aggregate !== 'turns' && aggregate !== 'parts' && typeof aggregate !== 'function') {
    throw invalid(`the aggregate of the criterion "${name}" must be "turns", "parts" or a function`);
  }
}

function invalid(message: string): CriteriaError {
  return new CriteriaError({ code: 'INVALID_PLUGIN', message });
}
