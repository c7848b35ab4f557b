import type { Agent, AgentDescription } from '@agent-criteria/core';
import type { AgentNode } from '../api.ts';

/** Describes an agent with its tools and sub-agents, in the format of ADK's `build_graph`. */
export async function agentGraph(agent: Agent, signal: AbortSignal): Promise<AgentNode> {
  return graphOf((await agent.describe?.(signal)) ?? { name: agent.name });
}

function graphOf({ name, type = 'Agent', description, tools = [], agents = [] }: AgentDescription): AgentNode {
  return {
    name,
    type,
    ...(description === undefined ? {} : { description }),
    tools: tools.flatMap((tool) => (typeof tool.name === 'string' ? [{ name: tool.name, type: 'tool' }] : [])),
    sub_agents: agents.map(graphOf),
  };
}

/** Draws the tree in Graphviz's language. @param called Tools and agents to highlight. */
export function dotOf(root: AgentNode, { dark = false, called = new Set<string>() } = {}): string {
  const ink = dark ? '#e6e6e6' : '#202020';
  const mark = dark ? '#2e7d4f' : '#a5d6b5';
  const lines = [
    `digraph {`,
    `bgcolor="transparent"; rankdir="LR";`,
    `node [color="${ink}" fontcolor="${ink}"];`,
    `edge [color="${ink}"];`,
  ];
  const draw = (node: AgentNode, path: string): void => {
    const fill = (name: string) => (called.has(name) ? ` style="filled" fillcolor="${mark}"` : '');
    lines.push(`${quoted(path)} [label=${quoted(node.name)} shape="ellipse"${fill(node.name)}];`);
    for (const tool of node.tools) {
      const id = `${path}/tool:${tool.name}`;
      lines.push(
        `${quoted(id)} [label=${quoted(tool.name)} shape="box"${fill(tool.name)}];`,
        `${quoted(path)} -> ${quoted(id)};`,
      );
    }
    for (const below of node.sub_agents) {
      draw(below, `${path}/${below.name}`);
      lines.push(`${quoted(path)} -> ${quoted(`${path}/${below.name}`)};`);
    }
  };
  draw(root, root.name);
  return `${lines.join('\n')}\n}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', ' ')}"`;
}
