import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { store, stored } from './store.ts';

/** The smallest and the largest share of the width that the first pane may have, in percent. */
const LEAST = 25;
const MOST = 75;
/** How far an arrow key moves the splitter, in percent. */
const STEP = 2;

/**
 * A bar between two panes of a grid, which changes their widths by pointer and by keyboard. The grid takes the width of
 * the second pane from `--split`, and this browser remembers it.
 */
export function Splitter(props: {
  /** The name under which the width is remembered. */
  readonly name: string;
  readonly label: string;
  /** The share of the first pane at the beginning, in percent. */
  readonly share: number;
}) {
  const { name, label, share } = props;
  const own = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(() => readShare(stored(`split.${name}`)) ?? share);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = own;
    current?.parentElement?.style.setProperty('--split', `${100 - at}%`);
    const pane = current?.nextElementSibling;
    if (pane && pane.id === '') pane.id = id;
    if (pane) current?.setAttribute('aria-controls', pane.id);
  });
  const move = (wanted: number) => {
    const next = Math.round(Math.min(Math.max(wanted, LEAST), MOST) * 10) / 10;
    setAt(next);
    store(`split.${name}`, String(next));
  };
  const follow = ({ clientX }: PointerEvent) => {
    const grid = own.current?.parentElement?.getBoundingClientRect();
    if (grid !== undefined && grid.width > 0) move(((clientX - grid.left) / grid.width) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const wanted = { ArrowLeft: at - STEP, ArrowRight: at + STEP, Home: LEAST, End: MOST }[event.key];
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(wanted);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved is no <hr>.
    <div
      ref={own}
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(at)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      title="Drag, or use the arrow keys; a double click resets it"
      tabIndex={0}
      onKeyDown={press}
      onDblClick={() => move(share)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
      }}
    />
  );
}

function readShare(text: string | null): number | undefined {
  const share = Number(text ?? Number.NaN);
  return share >= LEAST && share <= MOST ? share : undefined;
}
