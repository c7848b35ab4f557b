import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** Media query for enough width to show a case next to the list; the same as in the style. */
export const ROOM_BESIDE = '(min-width: 1180px)';

export function useMedia(query: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setFits(list.matches);
    follow();
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return fits;
}

/** Whether the screen is narrow, as in the style. */
export function usePhone(): boolean {
  return useMedia('(max-width: 720px)');
}

/**
 * Measures the layout after each render with new inputs, and whenever anything is scrolled or resized.
 *
 * @param element Its size is watched. Default: that of the page.
 */
export function useMeasure(
  measure: () => void,
  inputs: readonly unknown[],
  element?: { readonly current: Element | null },
): void {
  useLayoutEffect(() => {
    measure();
    // In the next frame, because observers must not change the observed size.
    const watcher = new ResizeObserver(() => requestAnimationFrame(measure));
    watcher.observe(element?.current ?? document.body);
    addEventListener('scroll', measure, { passive: true, capture: true });
    addEventListener('resize', measure);
    return () => {
      watcher.disconnect();
      removeEventListener('scroll', measure, true);
      removeEventListener('resize', measure);
    };
  }, inputs);
}
