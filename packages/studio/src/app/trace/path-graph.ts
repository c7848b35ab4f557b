import type { AgentNode } from '../../api.ts';
import { isDescribed, type PathStep } from './agent-path.ts';

/** An agent or a tool in the graph. */
export interface GraphNode {
  readonly id: string;
  readonly kind: 'agent' | 'tool';
  readonly name: string;
  readonly description?: string | undefined;
  /** Positions in the path, from 1. */
  readonly used: readonly number[];
  /** The ids of these steps in the trace. */
  readonly steps: readonly string[];
  /** Those of its positions to which no edge leads. */
  readonly entered: readonly number[];
  /** Whether it was used although the agent's description does not mention it. */
  readonly isExtra: boolean;
}

/** A tool or a sub-agent of an agent, or a transfer that happened. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Positions in the path of the steps that it led to, from 1. */
  readonly used: readonly number[];
}

export interface PathGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const DEEPEST = 20;

type Made<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer One)[] ? One[] : T[Key] };

/** Combines the agents and tools of an agent with the path of a message through them. */
export function pathGraph(root: AgentNode | null, path: readonly PathStep[]): PathGraph {
  const nodes = new Map<string, Made<GraphNode>>();
  const edges = new Map<string, Made<GraphEdge>>();
  const nodeOf = (kind: GraphNode['kind'], name: string, owner: string | null, isExtra: boolean): Made<GraphNode> => {
    // Agents are known by their names in the whole tree, and tools in their agent.
    const id = JSON.stringify(kind === 'agent' ? [name] : [owner, name]);
    const found = nodes.get(id) ?? { id, kind, name, used: [], steps: [], entered: [], isExtra };
    nodes.set(id, found);
    return found;
  };
  const edgeOf = (from: string, to: string): Made<GraphEdge> => {
    const key = JSON.stringify([from, to]);
    const found = edges.get(key) ?? { from, to, used: [] };
    edges.set(key, found);
    return found;
  };
  const describe = (agent: AgentNode, depth: number): Made<GraphNode> => {
    const node = nodeOf('agent', agent.name, null, false);
    if (depth > DEEPEST) return node;
    node.description = agent.description;
    for (const tool of agent.tools) edgeOf(node.id, nodeOf('tool', tool.name, agent.name, false).id);
    for (const below of agent.sub_agents) edgeOf(node.id, describe(below, depth + 1).id);
    return node;
  };
  if (root !== null) describe(root, 0);
  let current: string | null = null;
  for (const [place, { kind, name, agent, inside, step }] of path.entries()) {
    const owner: string | null = kind === 'tool' ? (agent ?? current ?? root?.name ?? null) : (inside ?? current);
    const node = nodeOf(kind, name, owner, isDescribed(root));
    node.used.push(place + 1);
    node.steps.push(step);
    const from = owner === null ? null : nodeOf('agent', owner, null, isDescribed(root));
    if (from === null || from === node) node.entered.push(place + 1);
    else edgeOf(from.id, node.id).used.push(place + 1);
    current = kind === 'agent' ? name : owner;
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}
