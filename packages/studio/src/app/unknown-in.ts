import type { Route } from './route.ts';
import { info, sets } from './store.ts';

/** The thing that an address names and this studio does not have. */
export type Unknown = { readonly app: string } | { readonly app: string; readonly set: string };

/** Finds out whether an address names an app or a set that is not there. `null` also while they are being read. */
export function unknownIn(route: Route): Unknown | null {
  if (!('app' in route) || route.app === null || info.value.state !== 'there') return null;
  const { app } = route;
  if (!info.value.value.apps.some(({ name }) => name === app)) return { app };
  const listed = sets.value.get(app);
  if (!('set' in route) || listed?.state !== 'there') return null;
  return listed.value.some(({ id }) => id === route.set) ? null : { app, set: route.set };
}
