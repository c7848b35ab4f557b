import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { isA2aUrl } from '@agent-criteria/calls';
import { type Agent, type AgentAdapter, CriteriaError } from '@agent-criteria/core';
import { defaultRegistry, type Registry } from '@agent-criteria/core/host';
import { agentFromValue, installLine, isUrl } from '@agent-criteria/runner';
import { loadInstalled } from '../config/load-registry.ts';
import { importModule, MODULES } from '../files/import-module.ts';
import { maskedLoadError } from '../files/masked-load-error.ts';
import { kindOf } from '../files/path-kind.ts';
import { shellWord } from '../files/shell-word.ts';
import { didYouMeanPath } from '../files/similar-path.ts';
import { findSubAgent, isAdkSource, looksLikeAdk, looksLikeAiSdk, mainExport } from './sub-agent.ts';

/**
 * File names for an agent's module in a folder, in order of preference: first those that `adk run` looks for, then
 * ours.
 */
const ENTRIES = ['app', 'agent', 'index'].flatMap((name) =>
  ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'].map((extension) => name + extension),
);

/** Our own adapters, used if they are installed. */
const HTTP = '@agent-criteria/agent-http';
const A2A = '@agent-criteria/agent-a2a';
const ADK = '@agent-criteria/agent-adk';
const AI_SDK = '@agent-criteria/agent-ai-sdk';

export interface LoadAgentOptions {
  /**
   * The name of the agent to evaluate: an agent below the module's agent, or an export. Default: the module's agent.
   */
  readonly agentName?: string | undefined;
}

/**
 * Loads an agent: the export of a module or of a folder's module, or the agent behind a URL. From a module, it takes
 * what `adk run` takes, preferring an App to an agent, and then any export named `rootAgent` (or `root_agent`), `agent`
 * or default. A value that is not itself an agent is passed to the registered agent adapters, then to ours, if
 * installed.
 *
 * @throws CriteriaError AGENT_NOT_FOUND; or AGENT_FAILED with the module's own error as `cause` if it does not load.
 */
export async function loadAgent(
  path: string,
  registry: Registry = defaultRegistry(),
  options: LoadAgentOptions = {},
): Promise<Agent> {
  if (isUrl(path)) return agentBehind(path, registry, options);
  const file = await findAgent(path);
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(file);
  } catch (error) {
    const message = `the agent module does not load: ${maskedLoadError(error)}`;
    throw new CriteriaError({ code: 'AGENT_FAILED', file: path, message }, { cause: error });
  }
  const { name, exported } = chosenExport(loaded, path, options.agentName);
  try {
    return await adaptAgent(exported, registry, { file, fallbackName: basename(dirname(file)) });
  } catch (error) {
    if (!CriteriaError.is(error) || error.code !== 'AGENT_NOT_FOUND') throw error;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message: `its ${name}: ${error.message}` });
  }
}

export interface AdaptAgentOptions {
  /** The module that the value comes from, if any. */
  readonly file?: string | undefined;
  /** The name for an agent that has none. */
  readonly fallbackName?: string | undefined;
}

/**
 * Turns a value into an agent: with a registered agent adapter, with ours for agents of `@google/adk` or of the AI SDK if
 * it is installed, or directly, if it is a function or an object with `open`.
 *
 * @throws CriteriaError AGENT_NOT_FOUND, saying what it found instead.
 */
export async function adaptAgent(
  value: unknown,
  registry: Registry = defaultRegistry(),
  { file, fallbackName }: AdaptAgentOptions = {},
): Promise<Agent> {
  const folders = file === undefined ? ['.'] : [dirname(file), '.'];
  const adapter = await adapterFor(value, registry, folders);
  if (adapter) return adapter.adapt(value, file ?? '');
  if (looksLikeAdk(value) && !isAdkSource(value)) {
    const message = `an agent of @google/adk needs its adapter: ${installLine(ADK)}`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
  }
  if (looksLikeAiSdk(value)) {
    const message = `an agent of the AI SDK needs its adapter: ${installLine(AI_SDK)}`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
  }
  return agentFromValue(value, nameOf(value) ?? fallbackName);
}

/**
 * Loads our installed adapters for an agent, which `loadAgent` uses if none is registered.
 * @throws CriteriaError for any that does not load.
 */
export async function installedAdapters(path: string): Promise<readonly AgentAdapter[]> {
  if (isUrl(path)) return (await loadInstalled(adapterOfUrl(path), ['.'])).filter(isAdapter);
  const folders = [dirname(await findAgent(path)), '.'];
  return [...(await loadInstalled(ADK, folders)), ...(await loadInstalled(AI_SDK, folders))].filter(isAdapter);
}

function adapterOfUrl(url: string): string {
  return isA2aUrl(url) ? A2A : HTTP;
}

async function agentBehind(url: string, registry: Registry, { agentName }: LoadAgentOptions): Promise<Agent> {
  if (agentName !== undefined) {
    const message = `an agent behind a URL is a single agent: "${agentName}" cannot be chosen here; use the URL of that agent`;
    throw new CriteriaError({ code: 'USAGE', file: url, message });
  }
  const adapter =
    accepting(url, registry.list('agent-adapter')) ??
    accepting(url, (await loadInstalled(adapterOfUrl(url), ['.'])).filter(isAdapter));
  if (adapter) return adapter.adapt(url, url);
  const message = `no adapter for agents behind ${isA2aUrl(url) ? 'the A2A protocol' : 'a URL'} is registered: ${installLine(adapterOfUrl(url))}`;
  throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: url, message });
}

async function adapterFor(
  exported: unknown,
  registry: Registry,
  folders: readonly string[],
): Promise<AgentAdapter | undefined> {
  const registered = accepting(exported, registry.list('agent-adapter'));
  const name = looksLikeAdk(exported) ? ADK : looksLikeAiSdk(exported) ? AI_SDK : undefined;
  if (registered !== undefined || name === undefined) return registered;
  return accepting(exported, (await loadInstalled(name, folders)).filter(isAdapter));
}

function accepting(value: unknown, adapters: readonly AgentAdapter[]): AgentAdapter | undefined {
  return adapters.find((adapter) => adapter.accepts(value));
}

function isAdapter(plugin: { readonly kind: string }): plugin is AgentAdapter {
  return plugin.kind === 'agent-adapter';
}

function chosenExport(
  loaded: Readonly<Record<string, unknown>>,
  file: string,
  agentName: string | undefined,
): { readonly name: string; readonly exported: unknown } {
  const name = mainExport(loaded);
  if (agentName === undefined) {
    if (name !== undefined) return { name: `export "${name}"`, exported: loaded[name] };
    const found = Object.keys(loaded).join(', ') || 'nothing';
    const message = `the module exports no agent: export it as rootAgent, agent or default (it exports ${found})`;
    throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file, message });
  }
  // The module's agent and its sub-agents come first, because another export with that name is a different agent.
  const roots = [...(name === undefined ? [] : [loaded[name]]), ...Object.values(loaded)];
  return { name: `agent "${agentName}"`, exported: findSubAgent(roots, agentName, file) };
}

/** Returns the name of a function. Loaders name anonymous default exports `default` or `_default`. */
function nameOf(exported: unknown): string | undefined {
  return typeof exported === 'function' && !/^(_?default|)$/.test(exported.name) ? exported.name : undefined;
}

/** Explains how to evaluate an agent of ADK for Python, which runs in a separate server. */
function inPython(folder: string): string {
  const app = basename(folder);
  const inside = relative('.', dirname(folder)) || '.';
  const above = inside.startsWith('..') ? dirname(folder) : inside;
  return `this is a Python agent, which runs in its own server: start it with adk api_server ${shellWord(above)}, then evaluate http://127.0.0.1:8000/apps/${encodeURIComponent(app)} instead of the folder`;
}

/**
 * Finds the module for a path: the file itself, or the agent in a folder. Returns a URL unchanged. Imports nothing.
 *
 * @throws CriteriaError AGENT_NOT_FOUND.
 */
export async function findAgent(path: string): Promise<string> {
  if (isUrl(path)) return path;
  const notFound = (message: string) => new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message });
  const absolute = resolve(path);
  const kind = await kindOf(absolute);
  if (kind === null) {
    const near = await didYouMeanPath(path, couldBeAgent);
    throw notFound(`there is no such file or folder${near || '; name the module or the folder of the agent'}`);
  }
  if (kind === 'file') {
    if (MODULES.has(extname(absolute))) return absolute;
    if (extname(absolute) === '.py') throw notFound(inPython(dirname(absolute)));
    throw notFound(`this is not a module: an agent file must end in one of ${[...MODULES].join(', ')}`);
  }
  for (const entry of ENTRIES) {
    const file = join(absolute, entry);
    if ((await kindOf(file)) === 'file') return file;
  }
  for (const entry of ['agent.py', '__init__.py', 'root_agent.yaml']) {
    if ((await kindOf(join(absolute, entry))) === 'file') throw notFound(inPython(absolute));
  }
  throw notFound(`the folder has no agent: expected one of ${ENTRIES.join(', ')}`);
}

/**
 * Whether a path may lead to an agent, which any module or folder may. A folder without an agent gets a specific
 * message.
 */
async function couldBeAgent(path: string): Promise<boolean> {
  return (await kindOf(path)) === 'folder' || MODULES.has(extname(path));
}
