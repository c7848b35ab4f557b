import { isObject } from '@agent-criteria/formats';
import type { AgentNode } from '../../api.ts';
import { partsOf } from '../../sessions/event.ts';
import type { TraceGroup } from './trace-group.ts';

/** An agent or a tool that was used. */
export interface PathStep {
  readonly kind: 'agent' | 'tool';
  readonly name: string;
  /** The agent that owns the tool. */
  readonly agent: string | null;
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

/** Derives the path of a message through agents and tools from its spans or, failing that, from its events. */
export function pathOf({ spans, events }: TraceGroup): readonly PathStep[] {
  const sorted = [...spans].sort((one, other) => one.startedAt - other.startedAt);
  const isTold = sorted.some(({ kind }) => kind === 'tool' || kind === 'model');
  if (isTold) {
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
    return sorted.flatMap(({ kind, name, author, parentId }): PathStep[] => {
      if (kind === 'agent') return [{ kind, name, agent: null }];
      return kind === 'tool' ? [{ kind, name, agent: author ?? agentOf(parentId) }] : [];
    });
  }
  const steps: PathStep[] = [];
  let last: string | null = null;
  for (const { author, content } of events) {
    if (author === 'user') continue;
    if (author !== last) steps.push({ kind: 'agent', name: author, agent: null });
    last = author;
    for (const part of partsOf({ content })) {
      const call = isObject(part) ? part.functionCall : undefined;
      if (isObject(call) && typeof call.name === 'string') steps.push({ kind: 'tool', name: call.name, agent: author });
    }
  }
  return steps;
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
      lines.push({ kind, name, depth, used: places, isExtra: root !== null });
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
    lines.push({ kind: 'agent', name: step.name, depth: 0, used: places, isExtra: root !== null });
    extras(step.name, 1);
  }
  for (const agent of new Set([...left].map((place) => path[place]?.agent ?? null))) extras(agent, 0);
  return lines;
}
