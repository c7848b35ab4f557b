/**
 * The export of a module that is its agent. For `@google/adk` in the order of `adk run`: an App as `app`, `rootApp`, default, or by any name;
 * then `rootAgent` (or `root_agent`), default, and at last the first agent or workflow there is. In between stand `agent` and default for
 * agents of all other kinds.
 */
export function mainExport(loaded: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(loaded);
  const first = (order: readonly string[], fits: (value: unknown) => boolean) =>
    order.find((name) => Object.hasOwn(loaded, name) && fits(loaded[name]));
  const pathExists = (value: unknown) => value !== undefined;
  const isOther = (value: unknown) => pathExists(value) && !isAdkAgent(value);
  return (
    first(['app', 'rootApp', 'default', ...names], isMarkedApp) ??
    // The second is how ADK for Python writes it.
    first(['rootAgent', 'root_agent'], pathExists) ??
    first(['default'], isAdkAgent) ??
    first(['agent', 'default'], isOther) ??
    first(names, isAdkAgent)
  );
}

/** An agent or a workflow of `@google/adk`, an App around one, or what `adkAgent` made of one. */
export function looksLikeAdk(value: unknown): boolean {
  return isAdkSource(value) || isAdkApp(value) || isAdkAgent(value);
}

/** What `adkAgent` made: an agent as it is, which its adapter can tell the file that it stands in. */
export function isAdkSource(value: unknown): boolean {
  return isObject(value) && Symbol.for('@agent-criteria/agent-adk/source') in value;
}

// Told by marks of ADK, or by their shape: there may be several copies of it, and a test has its own.

function isAdkApp(value: unknown): boolean {
  return isMarkedApp(value) || (isObject(value) && 'rootAgent' in value && isAdkAgent(value.rootAgent));
}

/** Agents have a `rootAgent` too, and so has what a CommonJS module exports. */
function isMarkedApp(value: unknown): boolean {
  return isObject(value) && isMarked(value, 'google.adk.app');
}

function isAdkAgent(value: unknown): boolean {
  if (!isObject(value) || 'open' in value) return false;
  if ('runAsync' in value && typeof value.runAsync === 'function') return true;
  return ['google.adk.baseAgent', 'google.adk.workflow.workflow'].some((mark) => isMarked(value, mark));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isMarked(value: object, mark: string): boolean {
  return (value as { readonly [symbol: symbol]: unknown })[Symbol.for(mark)] === true;
}
