import { type AdkNode, type AdkRoot, type AdkToolset, isToolset, rootOf } from './adk-shapes.ts';

/** Milliseconds that nobody has used a shared toolset before it is closed: the next case may want it at once. */
const IDLE = 500;
/** An agent with more below it is a cycle of getters. */
const MOST = 10_000;

/** A toolset that sessions use. */
interface Held {
  sessions: number;
  /** Whether somebody has asked to close it meanwhile. */
  asked: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Gives the toolset its own `close` back. */
  restore(): void;
}

const held = new WeakMap<AdkToolset, Held>();
/** Those that are being closed: who wants one waits for that. */
const closing = new WeakMap<AdkToolset, Promise<void>>();

/**
 * Keeps the toolsets of an agent open while a session uses it: ADK closes them after each turn, and other sessions may
 * be in the midst of one. Whoever closes one meanwhile is answered at once, and it is closed when no session is left.
 *
 * @param own Whether the session alone has them: then they are closed with it, asked or not. Others are closed a moment
 *   after the last session, if anybody has asked.
 * @returns what ends that.
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
  // A frozen toolset is left as it is.
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
  // A process that has nothing else to do need not wait.
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

/** An agent, a workflow, a tool that runs an agent or a node, a node that calls a tool. */
interface Holder extends AdkNode {
  readonly agent?: unknown;
  readonly node?: unknown;
  readonly tool?: unknown;
}

/** All toolsets that an agent may use: its own, and those of the agents below it, in its workflow and behind its tools. */
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
