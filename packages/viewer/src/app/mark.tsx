import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Milliseconds: who only passes over a mark is not interrupted, and who moves into what it shows has time to. */
const BEFORE = 200;
const AFTER = 250;
/** Pixels to the edges of the window. */
const EDGE = 8;

/** `pinned` stays when the pointer leaves. */
type Showing = 'nothing' | 'card' | 'pinned';

/** A mark that shows what it rests on when it is pointed at, focused or tapped. Escape closes that, and nothing else. */
export function Mark(props: {
  readonly class?: string;
  /** Of what is shown. */
  readonly label: string;
  readonly title?: string | undefined;
  /** Of the mark, where the sign does not say it all. */
  readonly name?: string | undefined;
  /** The mark itself. */
  readonly sign: ComponentChildren;
  readonly tabIndex?: number;
  /** What pressing it does. Default: the card stays. Where there is no pointer to hover with, it always does that. */
  press?(): void;
  /** Made when it is shown. */
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
    // Before the page's own keys.
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
  useLayoutEffect(() => {
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
    place();
    const watcher = new ResizeObserver(place);
    if (card.current !== null) watcher.observe(card.current);
    addEventListener('scroll', place, { passive: true, capture: true });
    addEventListener('resize', place);
    return () => {
      watcher.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, []);
  return (
    <section ref={card} id={props.id} class="mark-card" aria-label={props.label}>
      {props.children}
    </section>
  );
}
