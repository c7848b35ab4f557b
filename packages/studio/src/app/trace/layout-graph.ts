import { Graph, layout } from '@dagrejs/dagre';
import type { GraphEdge, GraphNode, PathGraph } from './path-graph.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node with its centre and size. */
export interface PlacedNode extends Point {
  readonly node: GraphNode;
  readonly width: number;
  readonly height: number;
}

/** An edge with the points that it goes through, and the centre of its numbers. */
export interface PlacedEdge {
  readonly edge: GraphEdge;
  readonly points: readonly Point[];
  readonly label: Point | null;
}

export interface PlacedGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export interface GraphSizes {
  /** The width of a node in pixels. */
  width(node: GraphNode): number;
  /** The width of an edge's numbers in pixels. */
  labelWidth(edge: GraphEdge): number;
  readonly height: number;
  readonly labelHeight: number;
}

/** Places a graph from left to right, with agents before what they use. */
export function layoutGraph({ nodes, edges }: PathGraph, sizes: GraphSizes): PlacedGraph {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 30, edgesep: 10, marginx: 14, marginy: 14 });
  graph.setDefaultEdgeLabel(() => ({}));
  // Short ids of our own, because names come from agents and may be any key.
  const ids = new Map(nodes.map(({ id }, place) => [id, `n${place}`]));
  for (const node of nodes) {
    graph.setNode(ids.get(node.id) as string, { width: sizes.width(node), height: sizes.height });
  }
  for (const [place, edge] of edges.entries()) {
    const [from, to] = [ids.get(edge.from), ids.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    const numbers =
      edge.used.length === 0 ? {} : { width: sizes.labelWidth(edge), height: sizes.labelHeight, labelpos: 'c' };
    graph.setEdge(from, to, { ...numbers, weight: edge.used.length > 0 ? 2 : 1 }, `e${place}`);
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const placed = graph.node(ids.get(node.id) as string);
      return { node, x: placed.x ?? 0, y: placed.y ?? 0, width: placed.width ?? 0, height: placed.height ?? 0 };
    }),
    edges: edges.flatMap((edge, place) => {
      const [from, to] = [ids.get(edge.from), ids.get(edge.to)];
      if (from === undefined || to === undefined) return [];
      const { points = [], x, y } = graph.edge(from, to, `e${place}`);
      const hasLabel = edge.used.length > 0 && x !== undefined && y !== undefined;
      return [{ edge, points, label: hasLabel ? { x, y } : null }];
    }),
  };
}

/** Writes a smooth line through points as the path of an SVG. */
export function smoothLine(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = others.at(-1);
  if (first === undefined || last === undefined) return '';
  const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
  const curves = others.slice(0, -1).map((point, place) => {
    const next = others[place + 1] as Point;
    const end = place === others.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q ${at(point)} ${at(end)}`;
  });
  return `M ${at(first)} ${curves.length === 0 ? `L ${at(last)}` : curves.join(' ')}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
