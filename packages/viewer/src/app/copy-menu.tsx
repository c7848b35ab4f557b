import { useRef, useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';

/** Something that can be copied. */
export interface Copied {
  /** Shown in the menu, as in `Copy` … `id`. */
  readonly name: string;
  readonly title?: string | undefined;
  text(): string;
}

/** A menu of what can be copied. */
export function CopyMenu({ items }: { readonly items: readonly Copied[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = (isFocusKept: boolean) => {
    const { current } = menu;
    if (current === null) return;
    // The focused element is about to be hidden.
    if (isFocusKept && current.contains(document.activeElement)) current.querySelector('summary')?.focus();
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
        // The page's own Escape would leave the case.
        event.stopPropagation();
        close(true);
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close(false);
      }}
    >
      <summary>Copy</summary>
      {isOpen && (
        <ul>
          {items.map(({ name, title, text }) => (
            <li key={name}>
              <CopyButton name={name} label={`Copy ${name}`} title={title} text={text} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
