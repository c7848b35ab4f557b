import { CriteriaError, isObject } from '@agent-criteria/formats';
import type { PluginKind } from '../contracts/plugin.ts';
import type { SpecVersions } from '../contracts/registered.ts';
import { coreVersion } from '../version.ts';

const SPEC_VERSIONS: SpecVersions = {
  criterion: 3,
  'model-provider': 1,
  'user-simulator': 1,
  'tool-simulator': 1,
  'agent-adapter': 3,
};

/** The changes in each contract version, for plugin authors. */
const CHANGES: { readonly [Kind in PluginKind]?: Readonly<Record<number, string>> } = {
  criterion: {
    2: '`gates` is now `decides`, and `place` of a service call is now `endpoint`',
    3: '`evaluate(turn, options, tools, transcript)` is now `evaluate(turn, { options, tools, transcript })`',
  },
  'agent-adapter': {
    2: '`takesStubs` of an agent is now `supportsStubs`',
    3: '`send(message, on, { signal, streaming })` of a session is now `send(message, { onEvent, signal, streaming })`',
  },
};

/**
 * Refuses a plugin that was built for another version of its contract.
 * @throws CriteriaError UNSUPPORTED_SPEC_VERSION with advice and, for an older plugin, any recorded changes.
 */
export function checkSpecVersion(
  plugin: { readonly specVersion?: unknown; readonly name?: unknown; readonly origin?: unknown },
  kind: PluginKind,
): void {
  const { specVersion, name, origin } = plugin;
  const needed = SPEC_VERSIONS[kind];
  if (specVersion === needed) return;
  const from = isObject(origin) && typeof origin.package === 'string' ? origin.package : null;
  const which = `the ${kind} "${String(name)}"${from === null ? '' : ` of ${from} ${String(isObject(origin) ? origin.version : '')}`}`;
  const isNewer = typeof specVersion === 'number' && specVersion > needed;
  throw new CriteriaError({
    code: 'UNSUPPORTED_SPEC_VERSION',
    message:
      `${which} was built for version ${String(specVersion)} of the ${kind} contract, but @agent-criteria/core ${coreVersion} ` +
      `needs version ${needed}. ${isNewer ? newer(from) : older(kind, Number(specVersion), from)}`,
  });
}

function newer(from: string | null): string {
  return `Install a newer @agent-criteria/core, or an older version of ${from ?? 'the plugin'}.`;
}

function older(kind: PluginKind, version: number, from: string | null): string {
  const changes = Object.entries(CHANGES[kind] ?? {}).flatMap(([since, what]) =>
    Number(since) > version ? [what] : [],
  );
  const changed = changes.length === 0 ? '' : `What changed: ${changes.join('; ')}. `;
  return (
    `${changed}Install a newer version of ${from ?? 'the plugin'}. If the plugin is your own, ` +
    `${changes.length === 0 ? '' : 'make these changes and '}build it with @agent-criteria/core ${coreVersion}.`
  );
}
