import { options } from 'preact';

/**
 * Changes state and renders synchronously, so that the caller can focus a new element. Focusing later would steal the
 * focus from a user who has already moved on.
 */
export function drawNow(change: () => void): void {
  const { debounceRendering } = options;
  let draw: (() => void) | undefined;
  // Preact calls this once, passing the function that renders all changes.
  options.debounceRendering = (render) => {
    draw = render;
  };
  try {
    change();
  } finally {
    options.debounceRendering = debounceRendering;
    draw?.();
  }
}
