import type { Signal } from '@preact/signals';

/** An open span, by its group and id. */
export interface OpenedSpan {
  readonly group: string;
  readonly span: string;
  /** Whether it was opened from the graph, which then stays in view. Default `false`. */
  readonly fromGraph?: boolean | undefined;
}

/** The selection that a trace shares with the conversation next to it. */
export interface TraceLink {
  /** Ids of events that are hovered or focused. */
  readonly marked: Signal<ReadonlySet<string>>;
  readonly opened: Signal<OpenedSpan | null>;
  /** Shows an event in the conversation. */
  readonly show?: ((event: string) => void) | undefined;
}

/** Creates event listeners that mark events while an element is hovered or focused. */
export function marking({ marked }: TraceLink, ids: () => Iterable<string>) {
  const mark = () => {
    marked.value = new Set(ids());
  };
  const unmark = () => {
    marked.value = new Set();
  };
  return { onMouseEnter: mark, onMouseLeave: unmark, onFocusIn: mark, onFocusOut: unmark };
}
