import { options } from 'preact';

/**
 * Makes a change of state and draws it before it returns, so that the caller can focus something new. If the focus moved in a
 * later frame, it would be taken from a user who has gone on meanwhile.
 */
export function drawNow(change: () => void): void {
  const { debounceRendering } = options;
  let draw: (() => void) | undefined;
  // Preact calls this once, with the function that draws all that has changed.
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
