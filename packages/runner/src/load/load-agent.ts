import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Agent, CriteriaError, defaultRegistry, type Registry } from '@agent-criteria/core';
import { agentFromValue } from '../agent-input.ts';
import { importModule } from './import-module.ts';

/** What a folder's agent may be called, in this order. */
const ENTRIES = ['agent.ts', 'agent.mts', 'agent.js', 'agent.mjs', 'index.ts', 'index.mts', 'index.js', 'index.mjs'];
/** What a module's agent may be called, in this order. */
const EXPORTS = ['rootAgent', 'agent', 'default'];

/**
 * Loads the agent that a module exports, or the module of a folder: `rootAgent`, `agent` or the default export. What is
 * no agent by itself goes to the registered agent adapters.
 *
 * @throws CriteriaError AGENT_NOT_FOUND; or AGENT_FAILED with the module's own error as `cause` when it does not load.
 */
export async function loadAgent(path: string, registry: Registry = defaultRegistry()): Promise<Agent> {
  const file = await findModule(path);
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(file);
  } catch (error) {
    const message = `the agent module does not load: ${error instanceof Error ? error.message : String(error)}`;
    throw new CriteriaError({ code: 'AGENT_FAILED', file: path, message }, { cause: error });
  }
  for (const name of EXPORTS) {
    const exported = loaded[name];
    if (exported === undefined) continue;
    const adapter = registry.list('agent-adapter').find((candidate) => candidate.accepts(exported));
    if (adapter) return adapter.adapt(exported, file);
    const fallback = basename(dirname(file));
    try {
      return agentFromValue(exported, typeof exported === 'function' && exported.name !== 'default' ? exported.name || fallback : fallback);
    } catch (error) {
      if (!CriteriaError.is(error)) throw error;
      throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message: `its export "${name}": ${error.message}` });
    }
  }
  const found = Object.keys(loaded).join(', ') || 'nothing';
  const message = `the module exports no agent: export one as rootAgent, agent or default (it exports ${found})`;
  throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message });
}

async function findModule(path: string): Promise<string> {
  const absolute = resolve(path);
  const kind = await kindOf(absolute);
  if (kind === 'file') return absolute;
  if (kind === 'folder') {
    for (const entry of ENTRIES) {
      const file = join(absolute, entry);
      if ((await kindOf(file)) === 'file') return file;
    }
    const message = `the folder has no agent: expected one of ${ENTRIES.join(', ')}`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message });
  }
  throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message: 'there is no such file or folder; name the module or folder of the agent' });
}

async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}
