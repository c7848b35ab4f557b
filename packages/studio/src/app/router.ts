import { onAddress } from '@agent-criteria/viewer/address';
import { signal } from '@preact/signals';
import { formatRoute, parseRoute, type Route } from './route.ts';

/** The view shown, as given by the address. */
export const route = signal<Route>(parseRoute(location.hash));

/** Scroll positions of views, by address. */
const scrolled = new Map<string, number>();
let shown = location.hash;

export function go(next: Route, how: 'after' | 'instead' = 'after'): void {
  const address = formatRoute(next);
  if (how === 'instead') {
    history.replaceState(null, '', address);
    shown = address;
    // The view stays where it is, and is to be there again after a way back.
    scrolled.set(address, scrollY);
    route.value = next;
    return;
  }
  location.hash = address;
}

/** Starts following changes of the address. */
export function followAddress(): void {
  history.scrollRestoration = 'manual';
  const keep = () => scrolled.set(shown, scrollY);
  addEventListener('scroll', keep, { passive: true });
  const follow = () => {
    if (location.hash === shown) return;
    shown = location.hash;
    route.value = parseRoute(location.hash);
  };
  onAddress(follow);
}

/** Restores the scroll position of a view once its list is rendered. */
export function restoreScroll(): void {
  scrollTo(0, scrolled.get(location.hash) ?? 0);
}
