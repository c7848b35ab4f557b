import type { Span } from '@agent-criteria/core';

/** A row of a trace: a recorded span, or a step that is known only from the events of its turn. */
export interface TraceStep extends Omit<Span, 'kind'> {
  readonly kind: Span['kind'] | 'text';
  /**
   * The step's place among the steps of its turn without times, from 1, and their number. Its own times are then those
   * within which it happened. Default: its times are recorded.
   */
  readonly untimed?: { readonly place: number; readonly of: number } | undefined;
}

/** Whether only the order of a step is known. */
export function isUntimed({ untimed }: TraceStep): boolean {
  return untimed !== undefined;
}
