import type { AgentDescription } from '@agent-criteria/core';

/** An agent in the form of ADK's `build_graph`. */
export interface GraphNode {
  readonly name: string;
  readonly type: string;
  readonly description?: string | undefined;
  readonly tools: readonly { readonly name: string; readonly type: 'tool' }[];
  readonly sub_agents: readonly GraphNode[];
}

export function graphOf({ name, type = 'Agent', description, tools = [], agents = [] }: AgentDescription): GraphNode {
  return {
    name,
    type,
    ...(description === undefined ? {} : { description }),
    tools: toolNames(tools).map((tool) => ({ name: tool, type: 'tool' as const })),
    sub_agents: agents.map(graphOf),
  };
}

/** Draws the tree in the language of Graphviz. @param called Tools and agents to highlight. */
export function dotOf(root: GraphNode, { dark = false, called = new Set<string>() } = {}): string {
  const ink = dark ? '#e6e6e6' : '#202020';
  const mark = dark ? '#2e7d4f' : '#a5d6b5';
  const lines = [
    `digraph {`,
    `bgcolor="transparent"; rankdir="LR";`,
    `node [color="${ink}" fontcolor="${ink}"];`,
    `edge [color="${ink}"];`,
  ];
  const draw = (node: GraphNode, path: string): void => {
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

function toolNames(tools: NonNullable<AgentDescription['tools']>): readonly string[] {
  return tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', ' ')}"`;
}
