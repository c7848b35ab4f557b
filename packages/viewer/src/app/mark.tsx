import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useMeasure } from './use-layout.ts';

/** Delay in milliseconds before a hover card opens or closes. */
const BEFORE = 200;
const AFTER = 250;
/** The minimum distance between the card and the window's edge, in pixels. */
const EDGE = 8;

/** A `pinned` card stays open when the pointer leaves. */
type Showing = 'nothing' | 'card' | 'pinned';

/** A mark that shows a card with details when hovered, focused or tapped. Escape closes only the card. */
export function Mark(props: {
  readonly class?: string;
  /** The accessible name of the card. */
  readonly label: string;
  readonly title?: string | undefined;
  /** The accessible name of the mark. Default: its content. */
  readonly name?: string | undefined;
  /** The content of the mark. */
  readonly sign: ComponentChildren;
  readonly tabIndex?: number;
  /** Called on a mouse click. By default, and always on touch, a click pins the card. */
  press?(): void;
  /** Rendered when the card opens. */
  children(close: () => void): ComponentChildren;
}) {
  const { label, sign } = props;
  const [showing, setShowing] = useState<Showing>('nothing');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const byTouch = useRef(false);
  const whole = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const isShown = showing !== 'nothing';
  const after = (time: number, next: (now: Showing) => Showing) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShowing(next), time);
  };
  const close = () => {
    clearTimeout(timer.current);
    setShowing('nothing');
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isShown) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      if (whole.current?.contains(document.activeElement)) button.current?.focus();
      close();
    };
    const point = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) close();
    };
    // In the capture phase, to run before the page's own handlers.
    addEventListener('keydown', press, true);
    addEventListener('pointerdown', point, true);
    return () => {
      removeEventListener('keydown', press, true);
      removeEventListener('pointerdown', point, true);
    };
  }, [isShown]);
  return (
    <span
      ref={whole}
      class="mark-of"
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse') after(BEFORE, (now) => (now === 'nothing' ? 'card' : now));
      }}
      onPointerLeave={({ pointerType }) => {
        if (pointerType === 'mouse') after(AFTER, (now) => (now === 'pinned' ? now : 'nothing'));
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !whole.current?.contains(relatedTarget)) close();
      }}
    >
      <button
        ref={button}
        type="button"
        class={props.class}
        title={isShown ? undefined : props.title}
        aria-label={props.name}
        tabIndex={props.tabIndex}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        onPointerDown={({ pointerType }) => {
          byTouch.current = pointerType !== 'mouse';
        }}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) setShowing((now) => (now === 'nothing' ? 'card' : now));
        }}
        onClick={() => {
          const stays = props.press === undefined || byTouch.current;
          byTouch.current = false;
          if (!stays) {
            close();
            props.press?.();
          } else {
            clearTimeout(timer.current);
            setShowing((now) => (now === 'pinned' ? 'nothing' : 'pinned'));
          }
        }}
      >
        {sign}
      </button>
      {isShown && (
        <Card id={id} label={label} beside={button}>
          {props.children(close)}
        </Card>
      )}
    </span>
  );
}

function Card(props: {
  readonly id: string;
  readonly label: string;
  readonly beside: { readonly current: HTMLElement | null };
  readonly children: ComponentChildren;
}) {
  const card = useRef<HTMLElement>(null);
  const place = () => {
    const [own, mark] = [card.current, props.beside.current?.getBoundingClientRect()];
    if (own === null || mark === undefined) return;
    const { offsetWidth: width, offsetHeight: height } = own;
    const { clientWidth } = document.documentElement;
    const below = mark.bottom + 4;
    const fits = below + height <= innerHeight - EDGE || mark.top < innerHeight - mark.bottom;
    own.style.left = `${Math.max(EDGE, Math.min(mark.left, clientWidth - width - EDGE))}px`;
    own.style.top = `${fits ? below : Math.max(EDGE, mark.top - height - 4)}px`;
    own.style.maxHeight = `${Math.max(120, fits ? innerHeight - below - EDGE : mark.top - 4 - EDGE)}px`;
  };
  // Bars and tables that stay in place would otherwise lie on the card. Older browsers show it without this.
  useLayoutEffect(() => card.current?.showPopover?.(), []);
  useMeasure(place, [], card);
  return (
    <section ref={card} id={props.id} class="mark-card" popover="manual" aria-label={props.label}>
      {props.children}
    </section>
  );
}
