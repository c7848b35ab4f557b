import type { TurnEvent } from '../turn-event.ts';
import { visible } from './format.ts';

/** Links a conversation to a view of its trace. */
export interface EventLink {
  /** Returns the events of a turn. The answer is the last one. */
  events(turn: number): readonly TurnEvent[];
  isMarked(event: string): boolean;
  /** Marks these events, and no others. */
  mark(events: readonly string[]): void;
  /** Returns a function that opens the span which produced an event, or `undefined` if no span is known. */
  opener(event: string): (() => void) | undefined;
}

/** Returns attributes that link an element to its events. */
export function tiedTo(link: EventLink | undefined, events: readonly string[]) {
  if (link === undefined || events.length === 0) return { class: '', props: {} };
  const mark = () => link.mark(events);
  const unmark = () => link.mark([]);
  return {
    class: events.some((event) => link.isMarked(event)) ? ' marked' : '',
    props: {
      'data-events': events.join(' '),
      tabIndex: -1,
      onMouseEnter: mark,
      onMouseLeave: unmark,
      onFocusIn: mark,
      onFocusOut: unmark,
    },
  };
}

/** A button that opens the span which produced an event, if it is known. */
export function StepButton(props: {
  readonly link: EventLink | undefined;
  readonly events: readonly string[];
  /** The name of the event, used in the accessible name. */
  readonly of: string;
}) {
  const { link, events, of } = props;
  const [open] = events.toReversed().flatMap((event) => link?.opener(event) ?? []);
  if (open === undefined) return null;
  return (
    <button type="button" class="quiet step-button" onClick={open}>
      Trace<span class="unseen"> of {visible(of)}</span>
    </button>
  );
}
