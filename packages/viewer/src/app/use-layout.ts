import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/**
 * The media query for windows that are wide enough to show a case next to the list. Keep it in sync with the style
 * sheet.
 */
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

/** Whether the screen is narrow, as defined in the style sheet. */
export function usePhone(): boolean {
  return useMedia('(max-width: 720px)');
}

/**
 * Measures the layout after each render with new inputs, and whenever anything is scrolled or resized.
 *
 * @param element The element whose size is observed. Default: the page.
 */
export function useMeasure(
  measure: () => void,
  inputs: readonly unknown[],
  element?: { readonly current: Element | null },
): void {
  useLayoutEffect(() => {
    measure();
    // Deferred to the next frame, because an observer must not change the size that it observes.
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
