import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** A button that shows a list of actions. Escape, a chosen action, and a look elsewhere close it. */
export function Menu(props: {
  readonly label: string;
  /** Shown instead of the label. */
  readonly sign?: string | undefined;
  /** The items, which call `close` before they act. */
  readonly children: (close: () => void) => ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    const { current } = menu;
    if (current === null) return;
    // The focused element is about to be hidden.
    if (current.contains(document.activeElement)) current.querySelector('summary')?.focus();
    current.open = false;
  };
  return (
    <details
      ref={menu}
      class="menu"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (menu.current !== null && relatedTarget instanceof Node && !menu.current.contains(relatedTarget)) {
          menu.current.open = false;
        }
      }}
    >
      <summary aria-label={props.sign === undefined ? undefined : props.label} title={props.label}>
        {props.sign ?? props.label}
      </summary>
      {isOpen && <ul>{props.children(close)}</ul>}
    </details>
  );
}
