import { type AdkNode, type AdkRoot, type AdkToolset, isToolset, rootOf } from './adk-shapes.ts';

/** Delay in milliseconds before an unused shared toolset is closed, because the next case may need it right away. */
const IDLE = 500;
/** The maximum number of sub-agents; more are assumed to be a cycle of getters. */
const MOST = 10_000;

/** A toolset in use by sessions. */
interface Held {
  sessions: number;
  /** Whether `close` was called while the toolset was held. */
  asked: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Restores the toolset's own `close`. */
  restore(): void;
}

const held = new WeakMap<AdkToolset, Held>();
/** Toolsets that are being closed. A new session waits until closing is done. */
const closing = new WeakMap<AdkToolset, Promise<void>>();

/**
 * Keeps an agent's toolsets open while a session uses them, because ADK closes them after each turn, even if other
 * sessions are still using them. While a toolset is held, `close` returns at once; the toolset is closed when the last
 * session has ended.
 *
 * @param own Whether only this session uses the toolsets. If so, they are always closed when it ends. Shared toolsets
 *   are closed shortly after the last session ends, and only if `close` was called.
 * @returns A function that releases the toolsets.
 */
export async function holdToolsets(root: AdkRoot, own: boolean): Promise<() => Promise<void>> {
  const toolsets = toolsetsOf(root);
  for (const toolset of toolsets) await hold(toolset);
  let isHeld = true;
  return async () => {
    if (!isHeld) return;
    isHeld = false;
    await Promise.all(toolsets.map((toolset) => release(toolset, own)));
  };
}

async function hold(toolset: AdkToolset): Promise<void> {
  for (let end = closing.get(toolset); end !== undefined; end = closing.get(toolset)) await end;
  const present = held.get(toolset);
  if (present) {
    present.sessions += 1;
    clearTimeout(present.timer);
    return;
  }
  const entry: Held = { sessions: 1, asked: false, timer: undefined, restore: () => undefined };
  const own = Object.getOwnPropertyDescriptor(toolset, 'close');
  const value = async (): Promise<void> => {
    entry.asked = true;
  };
  // A frozen toolset stays unchanged.
  if (!Reflect.defineProperty(toolset, 'close', { value, configurable: true, writable: true })) return;
  entry.restore = () => {
    if (own) Reflect.defineProperty(toolset, 'close', own);
    else Reflect.deleteProperty(toolset, 'close');
  };
  held.set(toolset, entry);
}

async function release(toolset: AdkToolset, own: boolean): Promise<void> {
  const entry = held.get(toolset);
  if (entry === undefined) return;
  entry.sessions -= 1;
  if (entry.sessions > 0) return;
  if (own) return end(toolset, entry, true);
  entry.timer = setTimeout(() => end(toolset, entry, entry.asked).catch(() => undefined), IDLE);
  // Lets the process exit if nothing else keeps it alive.
  entry.timer.unref();
}

async function end(toolset: AdkToolset, entry: Held, close: boolean): Promise<void> {
  held.delete(toolset);
  entry.restore();
  if (!close) return;
  const ended = (async () => toolset.close())();
  closing.set(
    toolset,
    ended.then(
      () => void closing.delete(toolset),
      () => void closing.delete(toolset),
    ),
  );
  await ended;
}

/** An object that may contain agents or toolsets: an agent, a workflow, a node, or a tool that runs one. */
interface Holder extends AdkNode {
  readonly agent?: unknown;
  readonly node?: unknown;
  readonly tool?: unknown;
}

/**
 * Returns all toolsets that an agent may use: its own, and those of its sub-agents, its workflow and the agents that
 * its tools run.
 */
function toolsetsOf(root: AdkRoot): readonly AdkToolset[] {
  const waiting: unknown[] = [rootOf(root)];
  const seen = new Set<unknown>();
  const found: AdkToolset[] = [];
  for (let at = 0; at < waiting.length && seen.size < MOST; at++) {
    const node = waiting[at];
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isToolset(node)) {
      found.push(node);
      continue;
    }
    const { subAgents = [], tools = [], graph, agent, node: inner, tool } = node as Holder;
    waiting.push(...subAgents, ...tools, ...(graph?.nodes ?? []), agent, inner, tool);
  }
  return found;
}
