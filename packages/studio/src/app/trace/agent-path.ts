import type { AgentNode } from '../../api.ts';
import type { TraceGroup } from './trace-group.ts';

/** An agent or a tool that was used. */
export interface PathStep {
  readonly kind: 'agent' | 'tool';
  readonly name: string;
  /** The agent that owns the tool. */
  readonly agent: string | null;
  /** The agent inside which another agent ran, if any. */
  readonly inside: string | null;
  /** The id of the step in the trace. */
  readonly step: string;
}

/** A line in the tree of agents and tools. */
export interface AgentLine {
  readonly kind: 'agent' | 'tool';
  readonly name: string;
  readonly description?: string | undefined;
  readonly depth: number;
  /** Positions in the path, from 1. */
  readonly used: readonly number[];
  /** Whether it was used although the agent's description does not mention it. */
  readonly isExtra: boolean;
}

const DEEPEST = 20;

/** The tool with which an agent of ADK hands over to another one, which is then the next step. */
const TRANSFER = 'transfer_to_agent';

/** Derives the path of a message through agents and tools. */
export function pathOf({ spans }: Pick<TraceGroup, 'spans'>): readonly PathStep[] {
  const sorted = [...spans].sort((one, other) => one.startedAt - other.startedAt);
  const byId = new Map(sorted.map((span) => [span.id, span]));
  const agentOf = (id: string | undefined): string | null => {
    const seen = new Set<string>();
    for (let at = id; at !== undefined && !seen.has(at); at = byId.get(at)?.parentId) {
      seen.add(at);
      const span = byId.get(at);
      if (span?.kind === 'agent') return span.name;
    }
    return null;
  };
  const steps = sorted.flatMap(({ kind, name, author, parentId, id }): PathStep[] => {
    if (kind === 'agent') return [{ kind, name, agent: null, inside: agentOf(parentId), step: id }];
    return kind === 'tool' ? [{ kind, name, agent: author ?? agentOf(parentId), inside: null, step: id }] : [];
  });
  const lastAgent = steps.findLastIndex(({ kind }) => kind === 'agent');
  return steps.filter(({ kind, name }, place) => kind === 'agent' || name !== TRANSFER || place > lastAgent);
}

/** Whether an agent says what it is made of, so that anything else that it uses is worth a remark. */
export function isDescribed(root: AgentNode | null): root is AgentNode {
  return root !== null && (root.tools.length > 0 || root.sub_agents.length > 0 || root.type !== 'Agent');
}

/** Combines the tree of agents with the path. @param root `null` if the agent does not describe itself. */
export function agentLines(root: AgentNode | null, path: readonly PathStep[]): readonly AgentLine[] {
  const left = new Set(path.keys());
  const used = (fits: (step: PathStep) => boolean): readonly number[] => {
    const places = [...left].filter((place) => fits(path[place] as PathStep));
    for (const place of places) left.delete(place);
    return places.map((place) => place + 1);
  };
  const lines: AgentLine[] = [];
  const extras = (agent: string | null, depth: number) => {
    for (const place of [...left]) {
      const step = path[place];
      if (step === undefined || !left.has(place) || step.kind !== 'tool' || step.agent !== agent) continue;
      const { kind, name } = step;
      const places = used((one) => one.kind === kind && one.name === name && one.agent === agent);
      lines.push({ kind, name, depth, used: places, isExtra: isDescribed(root) });
    }
  };
  const add = ({ name, description, tools, sub_agents: below }: AgentNode, depth: number): void => {
    if (depth > DEEPEST) return;
    const places = used((step) => step.kind === 'agent' && step.name === name);
    lines.push({ kind: 'agent', name, description, depth, used: places, isExtra: false });
    for (const tool of tools) {
      const calls = used((step) => step.kind === 'tool' && step.name === tool.name && (step.agent ?? name) === name);
      lines.push({ kind: 'tool', name: tool.name, depth: depth + 1, used: calls, isExtra: false });
    }
    extras(name, depth + 1);
    for (const agent of below) add(agent, depth + 1);
  };
  if (root !== null) add(root, 0);
  for (const place of [...left]) {
    const step = path[place];
    if (step === undefined || !left.has(place) || step.kind !== 'agent') continue;
    const places = used((one) => one.kind === 'agent' && one.name === step.name);
    lines.push({ kind: 'agent', name: step.name, depth: 0, used: places, isExtra: isDescribed(root) });
    extras(step.name, 1);
  }
  for (const agent of new Set([...left].map((place) => path[place]?.agent ?? null))) extras(agent, 0);
  return lines;
}
