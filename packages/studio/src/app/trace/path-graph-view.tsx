import { useMeasure, visible } from '@agent-criteria/viewer/views';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { layoutGraph, type PlacedNode, smoothLine } from './layout-graph.ts';
import type { GraphNode, PathGraph } from './path-graph.ts';

const NODE_HEIGHT = 34;
const PADDING = 12;
const LABEL_HEIGHT = 18;
const LONGEST_NAME = 30;
/** Positions shown on an edge before the rest is counted. */
const MOST_NUMBERS = 3;
/** Below this scale, text cannot be read: the graph scrolls instead. */
const SMALLEST_FIT = 0.8;
/** The nodes say in which step each was used. */
const UNREAD = { 'aria-hidden': true } as const;
const SCALES = { least: 0.25, most: 2.5, step: 1.25 };

/** Draws agents and their tools, with the path of a message through them. */
export default function PathGraphView(props: {
  readonly graph: PathGraph;
  /** The open step. */
  readonly here: { readonly kind: string; readonly name: string };
  /** Opens a step in the trace. */
  open(step: string): void;
}) {
  const { graph, here, open } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const placed = useMemo(() => {
    const width = measurer();
    return layoutGraph(graph, {
      width: ({ kind, name }) => Math.ceil(width(shortName(name), kind)) + 2 * PADDING,
      labelWidth: ({ used }) => labelWidth(used),
      height: NODE_HEIGHT,
      labelHeight: LABEL_HEIGHT,
    });
  }, [graph]);
  const [scale, setScale] = useState(1);
  const [isStyled, setStyled] = useState(false);
  const fit = () => {
    const free = box.current?.clientWidth ?? 0;
    if (free > 0 && placed.width > 0) setScale(Math.min(1, Math.max(free / placed.width, SMALLEST_FIT)));
  };
  useMeasure(fit, [placed, isStyled]);
  useLayoutEffect(() => {
    // Scrolls within the box only: the page stays where it is.
    const { current } = box;
    const node = placed.nodes.find((one) => isHere(one.node, here));
    if (current === null || node === undefined) return;
    current.scrollLeft = node.x * scale - current.clientWidth / 2;
    current.scrollTop = node.y * scale - current.clientHeight / 2;
  }, [placed, scale, isStyled]);
  const zoom = (factor: number) => setScale((now) => Math.min(SCALES.most, Math.max(SCALES.least, now * factor)));
  const arrow = (name: string) => `${id}-${name}`;
  return (
    <>
      {/* Only this view needs it, and it is loaded late. */}
      <link
        rel="stylesheet"
        href="/app/path-graph.css"
        onLoad={() => setStyled(true)}
        onError={() => setStyled(true)}
      />
      <div class="graph-tools" hidden={!isStyled}>
        <Button text="−" class="quiet" aria-label="Zoom out" title="Zoom out" onClick={() => zoom(1 / SCALES.step)} />
        <Button text="+" class="quiet" aria-label="Zoom in" title="Zoom in" onClick={() => zoom(SCALES.step)} />
        <Button text="Fit" class="quiet" title="Fit the graph into its box" onClick={fit} />
      </div>
      <section
        ref={box}
        class="graph-box"
        hidden={!isStyled}
        aria-label="Graph of agents and tools"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be scrollable by keyboard, too.
        tabIndex={0}
        onPointerDown={(event) => drag(event, box.current)}
      >
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the section and each node have names, and a title would cover theirs. */}
        <svg
          class="path-graph"
          width={placed.width * scale}
          height={placed.height * scale}
          viewBox={`0 0 ${placed.width} ${placed.height}`}
        >
          <defs>
            {['used', 'unused'].map((name) => (
              <marker
                key={name}
                id={arrow(name)}
                class={`arrow ${name}`}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="8"
                markerHeight="8"
                markerUnits="userSpaceOnUse"
                orient="auto"
              >
                <path d="M 0 0.5 L 7.5 4 L 0 7.5 z" />
              </marker>
            ))}
          </defs>
          <g {...UNREAD}>
            {[...placed.edges]
              // Draws the path taken on top.
              .sort((one, other) => Math.sign(one.edge.used.length) - Math.sign(other.edge.used.length))
              .map(({ edge, points }, place) => {
                const kind = edge.used.length > 0 ? 'used' : 'unused';
                return (
                  <path key={place} class={`edge ${kind}`} d={smoothLine(points)} marker-end={`url(#${arrow(kind)})`} />
                );
              })}
            {placed.edges.map(
              ({ edge, label }, place) => label !== null && <Numbers key={place} used={edge.used} {...label} />,
            )}
          </g>
          {placed.nodes.map((one) => (
            <Node key={one.node.id} placed={one} isHere={isHere(one.node, here)} open={open} />
          ))}
          <g {...UNREAD} class="entries">
            {placed.nodes.map(
              ({ node: { id: own, entered }, x, y, width, height }) =>
                entered.length > 0 && <Numbers key={own} used={entered} x={x - width / 2 + 10} y={y - height / 2} />,
            )}
          </g>
        </svg>
      </section>
    </>
  );
}

function Node(props: { readonly placed: PlacedNode; readonly isHere: boolean; open(step: string): void }) {
  const { placed, open } = props;
  const { node, x, y, width, height } = placed;
  const { kind, name, description, used, steps, isExtra } = node;
  // Each press leads to the next step of the node.
  const next = useRef(0);
  const [first] = steps;
  const show = () => {
    const step = steps[next.current % steps.length];
    next.current += 1;
    if (step !== undefined) open(step);
  };
  const words = [
    `${kind} ${visible(name)}`,
    used.length === 0 ? 'not used' : `step ${used.join(', ')}`,
    ...(isExtra ? ['not described by the agent'] : []),
    ...(props.isHere ? ['this step'] : []),
  ].join(', ');
  const classes = ['node', kind, used.length > 0 ? 'used' : 'unused', isExtra && 'extra', props.isHere && 'here'];
  const role =
    first === undefined
      ? ({ role: 'img' } as const)
      : ({
          role: 'button',
          // In SVG, the names of attributes are case-sensitive.
          tabindex: 0,
          onClick: show,
          onKeyDown(event: KeyboardEvent) {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            show();
          },
        } as const);
  return (
    <g
      class={classes.filter(Boolean).join(' ')}
      transform={`translate(${x - width / 2} ${y - height / 2})`}
      aria-label={words}
      {...role}
    >
      <title>{description === undefined ? words : `${words}\n${visible(description).slice(0, 300)}`}</title>
      <rect width={width} height={height} rx={kind === 'agent' ? height / 2 : 6} />
      <text x={width / 2} y={height / 2} dominant-baseline="central" text-anchor="middle">
        {shortName(name)}
      </text>
    </g>
  );
}

/** The positions in the path, in a pill around a centre. */
function Numbers({ used, x, y }: { readonly used: readonly number[]; readonly x: number; readonly y: number }) {
  const width = labelWidth(used);
  return (
    <g class="numbers" transform={`translate(${x} ${y})`}>
      <rect x={-width / 2} y={-LABEL_HEIGHT / 2} width={width} height={LABEL_HEIGHT} rx={LABEL_HEIGHT / 2} />
      <text dominant-baseline="central" text-anchor="middle">
        {numbersText(used)}
      </text>
    </g>
  );
}

function numbersText(used: readonly number[]): string {
  const more = used.length - MOST_NUMBERS;
  return `${used.slice(0, MOST_NUMBERS).join(', ')}${more > 0 ? ` +${more}` : ''}`;
}

function labelWidth(used: readonly number[]): number {
  return Math.max(LABEL_HEIGHT, numbersText(used).length * 7 + 8);
}

function isHere(node: GraphNode, here: { readonly kind: string; readonly name: string }): boolean {
  return node.kind === here.kind && node.name === here.name;
}

function shortName(name: string): string {
  const text = visible(name);
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text;
}

/** Returns a function that measures text in the fonts of the graph. */
function measurer(): (text: string, kind: GraphNode['kind']) => number {
  const canvas = document.createElement('canvas').getContext('2d');
  const { fontFamily } = getComputedStyle(document.documentElement);
  const mono = getComputedStyle(document.documentElement).getPropertyValue('--mono');
  return (text, kind) => {
    if (canvas === null) return text.length * 8;
    canvas.font = kind === 'agent' ? `600 13px ${fontFamily}` : `12.5px ${mono}`;
    return canvas.measureText(text).width;
  };
}

/** Moves the graph with the mouse. Touch scrolls by itself. */
function drag(event: PointerEvent, box: HTMLElement | null): void {
  const isNode = event.target instanceof Element && event.target.closest('[role="button"]') !== null;
  if (box === null || isNode || event.pointerType !== 'mouse' || event.button !== 0) return;
  const from = { left: box.scrollLeft + event.clientX, top: box.scrollTop + event.clientY };
  const move = ({ clientX, clientY }: PointerEvent) => box.scrollTo(from.left - clientX, from.top - clientY);
  const end = new AbortController();
  addEventListener('pointermove', move, { signal: end.signal });
  for (const name of ['pointerup', 'pointercancel'] as const) {
    addEventListener(name, () => end.abort(), { signal: end.signal });
  }
}
