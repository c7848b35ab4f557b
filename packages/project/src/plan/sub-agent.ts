import { CriteriaError, didYouMean } from '@agent-criteria/core';

/** The agent that was found, and the names of all those visited. */
interface Search {
  readonly found: unknown;
  readonly names: ReadonlySet<string>;
}

/** The maximum number of agents in a tree. A larger number means that getters form a cycle. */
const MOST = 10_000;

/**
 * Finds the agent with this name among the roots and the agents below them, by calling `findAgent(name)`, which ADK's
 * agents have, or else by the `name` of each agent in `subAgents`.
 *
 * @throws CriteriaError AGENT_NOT_FOUND, listing the existing names.
 */
export function findSubAgent(roots: readonly unknown[], name: string, file?: string): unknown {
  const { found, names } = search(roots, name);
  if (found !== undefined) return found;
  const list = names.size === 0 ? 'none of the agents has a name' : `known: ${[...names].slice(0, 50).join(', ')}`;
  const message = `there is no agent named "${name}"${didYouMean(name, names)} (${list})`;
  throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message, file });
}

function search(roots: readonly unknown[], wanted: string): Search {
  const names = new Set<string>();
  const waiting = [...roots];
  const seen = new Set<unknown>();
  for (let at = 0; at < waiting.length && seen.size < MOST; at++) {
    const agent = waiting[at];
    if ((typeof agent !== 'object' && typeof agent !== 'function') || agent === null || seen.has(agent)) continue;
    seen.add(agent);
    const own = read(agent, 'name');
    if (own === wanted) return { found: agent, names };
    if (typeof own === 'string' && own !== '') names.add(own);
    const findAgent = read(agent, 'findAgent');
    if (typeof findAgent === 'function') {
      const found: unknown = findAgent.call(agent, wanted);
      if (typeof found === 'object' && found !== null && read(found, 'name') === wanted) return { found, names };
    }
    // An ADK App holds its agents under rootAgent.
    for (const key of ['subAgents', 'rootAgent']) {
      const below = read(agent, key);
      if (Array.isArray(below)) waiting.push(...below);
      else if (key === 'rootAgent') waiting.push(below);
    }
  }
  return { found: undefined, names };
}

function read(agent: object, key: string): unknown {
  return key in agent ? (agent as Record<string, unknown>)[key] : undefined;
}

/**
 * Finds the export of a module that is its agent. Looks for agents of `@google/adk` in the order of `adk run`: an App
 * exported as `app`, `rootApp`, default or under any name; `rootAgent` (or `root_agent`); default; any agent or
 * workflow. An agent of another kind, exported as `agent` or default, is preferred to that last option. At the end comes
 * any agent of the AI SDK.
 */
export function mainExport(loaded: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(loaded);
  const first = (order: readonly string[], fits: (value: unknown) => boolean) =>
    order.find((name) => Object.hasOwn(loaded, name) && fits(loaded[name]));
  const isDefined = (value: unknown) => value !== undefined;
  const isOther = (value: unknown) => isDefined(value) && !isAdkAgent(value);
  return (
    first(['app', 'rootApp', 'default', ...names], isMarkedApp) ??
    // The second is the spelling of ADK for Python.
    first(['rootAgent', 'root_agent'], isDefined) ??
    first(['default'], isAdkAgent) ??
    first(['agent', 'default'], isOther) ??
    first(names, isAdkAgent) ??
    first(names, looksLikeAiSdk)
  );
}

/** Whether a value is an agent or a workflow of `@google/adk`, an App around one, or the result of `adkAgent`. */
export function looksLikeAdk(value: unknown): boolean {
  return isAdkSource(value) || isAdkApp(value) || isAdkAgent(value);
}

/** Whether a value is an agent of the AI SDK, such as a `ToolLoopAgent`. */
export function looksLikeAiSdk(value: unknown): boolean {
  if (!isObject(value) || 'open' in value) return false;
  const { version, generate, stream } = value as Readonly<Record<string, unknown>>;
  return version === 'agent-v1' && typeof generate === 'function' && typeof stream === 'function';
}

/** Whether a value was made by `adkAgent`. Such a value already is an agent, to which its adapter adds the file. */
export function isAdkSource(value: unknown): boolean {
  return isObject(value) && Symbol.for('@agent-criteria/agent-adk/source') in value;
}

// Recognised by ADK's marks or by shape, because there may be several copies of ADK, and tests define their own.

function isAdkApp(value: unknown): boolean {
  return isMarkedApp(value) || (isObject(value) && 'rootAgent' in value && isAdkAgent(value.rootAgent));
}

/**
 * Whether a value carries the mark of an App. A `rootAgent` is no proof, because agents and CommonJS exports can have
 * one too.
 */
function isMarkedApp(value: unknown): boolean {
  return isObject(value) && isMarked(value, 'google.adk.app');
}

function isAdkAgent(value: unknown): boolean {
  if (!isObject(value) || 'open' in value) return false;
  if ('runAsync' in value && typeof value.runAsync === 'function') return true;
  return ['google.adk.baseAgent', 'google.adk.workflow.workflow'].some((mark) => isMarked(value, mark));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isMarked(value: object, mark: string): boolean {
  return (value as { readonly [symbol: symbol]: unknown })[Symbol.for(mark)] === true;
}
