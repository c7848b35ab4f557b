import { CriteriaError, didYouMean } from '@agent-criteria/core';

/** What is found of an agent by name, and the names that were met on the way. */
interface Search {
  readonly found: unknown;
  readonly names: ReadonlySet<string>;
}

/** A tree of agents with more of them is a cycle of getters. */
const MOST = 10_000;

/**
 * The agent of this name among these and the agents below them: by their `findAgent(name)`, as ADK's have it, else by
 * the `name` of each in `subAgents`.
 *
 * @throws CriteriaError AGENT_NOT_FOUND, listing the names that there are.
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
    // An App of ADK holds its agents under rootAgent.
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
