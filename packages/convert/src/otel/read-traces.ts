import { contentText, type Invocation } from '@agent-criteria/core';
import type { Conversation } from '../conversation.ts';
import type { ReadSpans, SpanLog } from './read-spans.ts';
import { readTurn, type SpanTree } from './read-turn.ts';
import { kindOf } from './span-kind.ts';
import { type TraceSpan, textAt } from './trace-span.ts';

type OnLoss = (what: string, where: string) => void;

/** A conversation to which later traces may add turns. */
interface Open {
  readonly id: string | null;
  readonly where: string;
  readonly turns: Invocation[];
  readonly startedAt: number;
  endedAt: number;
  error: string | null;
}

/**
 * Reads conversations from the spans of traces. A root span of an agent is a turn. Turns with the same conversation id
 * are one conversation; without one, a turn continues the conversation whose messages its model was sent.
 */
export function readTraces(exports: readonly ReadSpans[], lose: OnLoss): readonly Conversation[] {
  const spans = withLogs(exports, lose);
  const open = new Map<string, Open[]>();
  const all: Open[] = [];
  for (const root of rootsOf(spans, lose)) {
    const { span } = root;
    const turn = readTurn(root, (what) => lose(what, span.where));
    if (turn === null) continue;
    const id = conversationId(root);
    const key = id === null ? JSON.stringify(turn.history.map(saidIn)) : `id ${id}`;
    const [before, ...others] = open.get(key) ?? [];
    const conversation = before ?? startedBy(id, span, turn.history);
    if (before === undefined) all.push(conversation);
    conversation.turns.push(turn.invocation);
    conversation.endedAt = Math.max(conversation.endedAt, span.endedAt);
    conversation.error ??= span.error;
    if (id !== null) open.set(key, [conversation]);
    else {
      open.set(key, others);
      const next = JSON.stringify(conversation.turns.map(saidIn));
      added(open, next, conversation);
    }
  }
  return all.map(({ id, where, turns, startedAt, endedAt, error }) => ({
    id,
    where,
    turns,
    expected: new Map(),
    startedAt: Math.round(startedAt),
    endedAt: Math.round(endedAt),
    ...(error === null ? {} : { error: { code: 'AGENT_FAILED', message: error } }),
  }));
}

function startedBy(id: string | null, { where, startedAt, endedAt }: TraceSpan, history: readonly Invocation[]): Open {
  return { id, where, turns: [...history], startedAt, endedAt, error: null };
}

/** Identifies a turn by what was said, because ids differ between a turn and its copy in a later request. */
function saidIn({ userContent, finalResponse }: Invocation): readonly string[] {
  return [contentText(userContent), contentText(finalResponse)];
}

function conversationId({ span, children }: SpanTree): string | null {
  const own = textAt(span, 'gen_ai.conversation.id', 'gcp.vertex.agent.session_id', 'session.id');
  if (own !== undefined) return own;
  for (const child of children) {
    const found = conversationId(child);
    if (found !== null) return found;
  }
  return null;
}

/** Adds log records to the spans that they belong to, as the newest conventions record messages. */
function withLogs(exports: readonly ReadSpans[], lose: OnLoss): readonly TraceSpan[] {
  const logs = new Map<string, SpanLog[]>();
  for (const log of exports.flatMap((one) => one.logs)) {
    added(logs, `${log.traceId} ${log.spanId}`, log);
  }
  return exports.flatMap(({ spans }) =>
    spans.map((span) => {
      const own = logs.get(`${span.traceId} ${span.id}`);
      for (const { name } of [...span.events, ...(own ?? [])]) {
        if (name === 'gen_ai.evaluation.result') lose('results of evaluations, left out', span.where);
      }
      if (own === undefined) return span;
      const details = own.filter(({ name }) => name === 'gen_ai.client.inference.operation.details');
      const attributes = new Map([...span.attributes, ...details.flatMap((log) => [...log.attributes])]);
      return { ...span, attributes, events: [...span.events, ...own] };
    }),
  );
}

/** Spans deeper than this are not read, because they may come from a hostile file. */
const DEEPEST = 500;

/**
 * Builds the tree of each outermost agent, in the order in which they began. Where a trace has no agent, its outermost
 * call to a model counts as one.
 */
function rootsOf(spans: readonly TraceSpan[], lose: OnLoss): readonly SpanTree[] {
  const keyOf = (span: TraceSpan, id: string): string => `${span.traceId} ${id}`;
  // An export that is sent again has the same spans.
  const byId = new Map(spans.map((span) => [keyOf(span, span.id), span]));
  const below = new Map<string, TraceSpan[]>();
  const tops = new Map<string, TraceSpan[]>();
  for (const span of byId.values()) {
    const parent = span.parentId === null ? null : keyOf(span, span.parentId);
    if (parent === null || !byId.has(parent)) added(tops, span.traceId, span);
    else added(below, parent, span);
  }
  let count = 0;
  const treeOf = (span: TraceSpan, depth: number): SpanTree => {
    count += 1;
    const children = depth < DEEPEST ? (below.get(keyOf(span, span.id)) ?? []) : [];
    return { span, children: children.toSorted(byStart).map((child) => treeOf(child, depth + 1)) };
  };
  const roots: SpanTree[] = [];
  for (const own of tops.values()) {
    const trees = own.map((span) => treeOf(span, 0));
    const agents = trees.flatMap((tree) => outermost(tree, 'agent'));
    const found = agents.length > 0 ? agents : trees.flatMap((tree) => callers(tree));
    if (found.length === 0) lose('traces without an agent or a call to a model, left out', own[0]?.where ?? '');
    roots.push(...found);
  }
  if (count < byId.size) {
    lose(`spans whose parents form a circle, or more than ${DEEPEST} deep, left out`, spans[0]?.where ?? '');
  }
  return roots.toSorted((a, b) => byStart(a.span, b.span));
}

/** Returns a tree if it has a call to a model. */
function callers(tree: SpanTree): readonly SpanTree[] {
  return outermost(tree, 'model').length > 0 ? [tree] : [];
}

function added<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function outermost(tree: SpanTree, kind: 'agent' | 'model'): readonly SpanTree[] {
  if (kindOf(tree.span) === kind) return [tree];
  return tree.children.flatMap((child) => outermost(child, kind));
}

function byStart(a: TraceSpan, b: TraceSpan): number {
  return a.startedAt - b.startedAt;
}
