import { signal } from '@preact/signals';
import { formatRoute, parseRoute, type Route } from './route.ts';

/** The view in the address: the address is the truth, so that the back button works. */
export const route = signal<Route>(parseRoute(location.hash));

/** How far a view was scrolled when it was left, by its address. */
const scrolled = new Map<string, number>();
let shown = location.hash;

export function go(next: Route, how: 'after' | 'instead' = 'after'): void {
  const address = formatRoute(next);
  if (how === 'instead') {
    history.replaceState(null, '', address);
    shown = address;
    route.value = next;
    return;
  }
  location.hash = address;
}

/** Follows the address from now on. */
export function followAddress(): void {
  history.scrollRestoration = 'manual';
  const keep = () => scrolled.set(shown, scrollY);
  addEventListener('scroll', keep, { passive: true });
  const follow = () => {
    if (location.hash === shown) return;
    shown = location.hash;
    route.value = parseRoute(location.hash);
  };
  addEventListener('popstate', follow);
  addEventListener('hashchange', follow);
}

/** Brings a view back to where it was left, as soon as it has drawn its list. */
export function restoreScroll(): void {
  scrollTo(0, scrolled.get(location.hash) ?? 0);
}
