import { askJson, type Connection, isRefusal } from '@agent-criteria/calls/agent-server';
import type { AgentDescription, AppDetails, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { appDetailsOf } from '@agent-criteria/formats/messages';
import { segmentOf } from './agent-url.ts';
import type { HttpAgentDetails, HttpAgentSettings } from './settings.ts';

/** Details of an app's agents, as far as the server and the settings provide them. */
export interface AppInfo {
  /** The root agent, or `null` if the server does not report it. */
  readonly root: string | null;
  readonly agents: ReadonlyMap<string, KnownAgent>;
}

interface KnownAgent extends HttpAgentDetails {
  readonly subAgents: readonly string[];
}

/**
 * Reads the agents of an app from `/app-info`, which newer Python and Go servers offer: names, descriptions,
 * instructions as written, and tool declarations. If a server does not report them, only those from the settings are
 * known.
 */
export async function readAppInfo(
  connection: Connection,
  app: string,
  settings: Pick<HttpAgentSettings, 'agents'>,
  options: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<AppInfo> {
  const path = `/apps/${segmentOf(app, 'the app')}/app-info`;
  // The information is optional: agents can be evaluated without it.
  const answer = await askJson(connection, { method: 'GET', path, ...options }).catch(() => null);
  options.signal?.throwIfAborted();
  const told = answer === null || isRefusal(answer) ? null : answer.body;
  const agents = new Map<string, KnownAgent>();
  if (isObject(told) && isObject(told.agents)) {
    for (const [name, agent] of Object.entries(told.agents)) if (isObject(agent)) agents.set(name, knownAgent(agent));
  }
  for (const [name, details] of Object.entries(settings.agents ?? {})) {
    const before = agents.get(name);
    const description = details.description ?? before?.description;
    const instructions = details.instructions ?? before?.instructions;
    agents.set(name, { subAgents: [], ...before, description, instructions, tools: details.tools ?? before?.tools });
  }
  const root = isObject(told) ? (told.rootAgentName ?? told.root_agent_name) : null;
  return { root: typeof root === 'string' && agents.has(root) ? root : null, agents };
}

function knownAgent(agent: Readonly<Record<string, unknown>>): KnownAgent {
  const { description, instruction, tools, subAgents = agent.sub_agents } = agent;
  return {
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    // Empty if the instructions are computed for each call.
    ...(typeof instruction === 'string' && instruction !== '' ? { instructions: instruction } : {}),
    ...(Array.isArray(tools) ? { tools: tools.flatMap(declarationsOf) } : {}),
    subAgents: Array.isArray(subAgents) ? subAgents.filter((name) => typeof name === 'string') : [],
  };
}

/**
 * Returns the declarations in `{ functionDeclarations: [...] }`, Gemini's format. Built-in tools, such as
 * `{ googleSearch: {} }`, are returned by name.
 */
function declarationsOf(tool: unknown): State[] {
  if (!isObject(tool)) return [];
  const declared = tool.functionDeclarations ?? tool.function_declarations;
  if (Array.isArray(declared)) return declared.filter(isNamed);
  return Object.keys(tool).map((name) => ({ name }));
}

/** Returns the instructions and tools of the agents that spoke in a turn, or `null` if none are known. */
export function detailsOfAuthors({ agents }: AppInfo, authors: Iterable<string>): AppDetails | null {
  return appDetailsOf([...new Set(authors)].map((name) => ({ ...agents.get(name), name })));
}

/** Returns the agents as a tree in which each agent appears once. Agents without a parent are placed below the root. */
export function describeApp({ root, agents }: AppInfo): AgentDescription | null {
  const names = [...agents.keys()];
  const first = root ?? names[0];
  if (first === undefined) return null;
  const seen = new Set<string>([first]);
  const below = new Map<string, string[]>([[first, []]]);
  // Breadth-first, so that neither depth nor cycles matter.
  for (const name of seen) {
    for (const sub of agents.get(name)?.subAgents ?? []) {
      if (seen.has(sub) || !agents.has(sub)) continue;
      seen.add(sub);
      below.set(sub, []);
      below.get(name)?.push(sub);
    }
  }
  for (const name of names) if (!seen.has(name)) below.get(first)?.push(name);
  const made = new Map<string, AgentDescription>();
  for (const name of [...new Set([...seen, ...names])].reverse()) {
    const { description, instructions, tools } = agents.get(name) ?? {};
    const subs = (below.get(name) ?? []).flatMap((sub) => made.get(sub) ?? []);
    made.set(name, {
      name,
      description,
      instructions,
      tools,
      ...(subs.length === 0 ? {} : { agents: subs }),
    });
  }
  return made.get(first) ?? null;
}

function isNamed(value: unknown): value is State {
  return isObject(value) && typeof value.name === 'string';
}
