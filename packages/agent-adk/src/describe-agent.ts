import { toJson } from '@agent-criteria/calls/json';
import type { AgentDescription, State } from '@agent-criteria/core';
import { type AdkNode, type AdkRoot, isTool, isToolset, rootOf } from './adk-shapes.ts';

/** The maximum nesting of agents; anything deeper is assumed to be a cycle of getters. */
const DEEPEST = 50;

/**
 * Describes an agent, its sub-agents and the agents that its tools run, without running any of them. Only toolsets are
 * called, to list their tools.
 */
export async function describeAgent(root: AdkRoot, signal?: AbortSignal): Promise<AgentDescription> {
  return describeNode(rootOf(root), new Set(), signal);
}

async function describeNode(
  node: AdkNode,
  above: ReadonlySet<AdkNode>,
  signal?: AbortSignal,
): Promise<AgentDescription> {
  signal?.throwIfAborted();
  const { name, description, instruction, subAgents = [], graph } = node;
  const tools = [...(node.tools ?? []), ...(node.tool === undefined ? [] : [node.tool])];
  const inside = new Set([...above, node]);
  const below = [...subAgents, ...(graph?.nodes ?? []), ...tools.map(agentBehind)].filter(isNode);
  const agents: AgentDescription[] = [];
  for (const agent of below) {
    if (!inside.has(agent) && inside.size < DEEPEST) agents.push(await describeNode(agent, inside, signal));
  }
  const declared: State[] = [];
  const missing: string[] = [];
  const modelTools: string[] = [];
  for (const tool of tools) declared.push(...(await declarationsOf(tool, missing, modelTools)));
  return {
    name,
    type: node.constructor.name,
    ...(description ? { description } : {}),
    ...(typeof instruction === 'string' && instruction !== '' ? { instructions: instruction } : {}),
    ...(declared.length > 0 ? { tools: declared } : {}),
    ...(modelTools.length > 0 ? { modelTools } : {}),
    ...(missing.length > 0 ? { toolsMissing: missing.join('; ') } : {}),
    ...(agents.length > 0 ? { agents } : {}),
  };
}

async function declarationsOf(tool: unknown, missing: string[], modelTools: string[]): Promise<readonly State[]> {
  if (isToolset(tool)) {
    try {
      const tools = await tool.getTools();
      return (await Promise.all(tools.map((one) => declarationsOf(one, missing, modelTools)))).flat();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      missing.push(`the tools of ${tool.constructor.name} cannot be listed: ${reason}`);
      return [];
    }
  }
  if (isTool(tool)) {
    const { name, description = '' } = tool;
    const declaration = toJson(tool._getDeclaration?.()) as State | null;
    // Tools run by the model's provider, such as a search, have no declaration.
    if (!declaration) modelTools.push(name);
    return [{ name, description, ...declaration }];
  }
  return isNode(tool) ? [{ name: tool.name, description: tool.description ?? '' }] : [];
}

/** Returns the agent or node that a tool runs, whose own tools may be called too. A node may itself be a tool. */
function agentBehind(tool: unknown): unknown {
  return isTool(tool) ? (tool.agent ?? tool.node) : isToolset(tool) ? undefined : tool;
}

function isNode(value: unknown): value is AdkNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    value.name !== '__START__'
  );
}
