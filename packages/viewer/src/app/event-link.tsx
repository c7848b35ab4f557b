import type { TurnEvent } from '../turn-event.ts';
import { visible } from './format.ts';

/** Ties a conversation to a view of its steps beside it. */
export interface EventLink {
  /** What an agent said and did in a turn; the answer comes last, where there is one. */
  events(turn: number): readonly TurnEvent[];
  isMarked(event: string): boolean;
  /** Marks these events and no others. */
  mark(events: readonly string[]): void;
  /** Opens the step that produced an event; `undefined`: no step is known to have. */
  opener(event: string): (() => void) | undefined;
}

/** What ties an element to the events that it shows. */
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

/** Leads to the step that produced an event, where one is known. */
export function StepButton(props: {
  readonly link: EventLink | undefined;
  readonly events: readonly string[];
  /** What it is the step of. */
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
