import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Agent, CriteriaError, defaultRegistry, type Registry } from '@agent-criteria/core';
import { agentFromValue } from '../agent-input.ts';
import { describeLoadError, importModule } from './import-module.ts';

/** What a folder's agent may be called, in this order. */
const ENTRIES = ['agent.ts', 'agent.mts', 'agent.js', 'agent.mjs', 'index.ts', 'index.mts', 'index.js', 'index.mjs'];
/** What a module's agent may be called, in this order. */
const EXPORTS = ['rootAgent', 'agent', 'default'];
const MODULES = new Set(['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs']);

/**
 * Loads the agent that a module exports, or the module of a folder: `rootAgent`, `agent` or the default export. What is
 * no agent by itself goes to the registered agent adapters.
 *
 * @throws CriteriaError AGENT_NOT_FOUND; or AGENT_FAILED with the module's own error as `cause` when it does not load.
 */
export async function loadAgent(path: string, registry: Registry = defaultRegistry()): Promise<Agent> {
  const file = await findAgent(path);
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(file);
  } catch (error) {
    const message = `the agent module does not load: ${describeLoadError(error)}`;
    throw new CriteriaError({ code: 'AGENT_FAILED', file: path, message }, { cause: error });
  }
  const name = EXPORTS.find((candidate) => loaded[candidate] !== undefined);
  if (name === undefined) {
    const found = Object.keys(loaded).join(', ') || 'nothing';
    const message = `the module exports no agent: export one as rootAgent, agent or default (it exports ${found})`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message });
  }
  const exported = loaded[name];
  const adapter = registry.list('agent-adapter').find((candidate) => candidate.accepts(exported));
  if (adapter) return adapter.adapt(exported, file);
  try {
    return agentFromValue(exported, nameOf(exported) ?? basename(dirname(file)));
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message: `its export "${name}": ${error.message}` });
  }
}

/** A name that somebody gave: loaders call anonymous default exports `default` or `_default`. */
function nameOf(exported: unknown): string | undefined {
  return typeof exported === 'function' && !/^(_?default|)$/.test(exported.name) ? exported.name : undefined;
}

/**
 * The module that a path means: the file itself, or the agent of a folder. Nothing is imported.
 * @throws CriteriaError AGENT_NOT_FOUND.
 */
export async function findAgent(path: string): Promise<string> {
  const notFound = (message: string) => new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message });
  const absolute = resolve(path);
  const kind = await kindOf(absolute);
  if (kind === null) throw notFound('there is no such file or folder; name the module or the folder of the agent');
  if (kind === 'file') {
    if (MODULES.has(extname(absolute))) return absolute;
    throw notFound(`this is no module: an agent is written in one of ${[...MODULES].join(', ')}`);
  }
  for (const entry of ENTRIES) {
    const file = join(absolute, entry);
    if ((await kindOf(file)) === 'file') return file;
  }
  throw notFound(`the folder has no agent: expected one of ${ENTRIES.join(', ')}`);
}

async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}
