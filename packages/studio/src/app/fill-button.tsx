import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** Whether a pane fills the window. */
export const isFilled = signal(false);

/** A button that lets a pane fill the window, until it is pressed again or Escape is. All else is hidden meanwhile. */
export function FillButton({ pane, of }: { readonly pane: RefObject<HTMLElement | null>; readonly of: string }) {
  const own = useRef<HTMLButtonElement>(null);
  const { value: on } = isFilled;
  useLayoutEffect(() => {
    const { current } = pane;
    if (!on || current === null) return;
    current.setAttribute('data-fills', '');
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      // Otherwise, the same key would also leave the view.
      event.stopPropagation();
      isFilled.value = false;
      own.current?.focus();
    };
    addEventListener('keydown', leave, true);
    return () => {
      current.removeAttribute('data-fills');
      removeEventListener('keydown', leave, true);
    };
  }, [on]);
  useLayoutEffect(
    () => () => {
      isFilled.value = false;
    },
    [],
  );
  return (
    <Button
      ref={own}
      text={on ? 'Leave full screen' : 'Full screen'}
      unseen={` of the ${of}`}
      class="quiet fill-button"
      aria-pressed={on}
      title={on ? 'Back to both panes (Esc)' : undefined}
      onClick={() => {
        isFilled.value = !on;
      }}
    />
  );
}
