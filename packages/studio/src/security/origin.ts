import { isOurHost } from './host.ts';

/** What a browser says of where a request comes from. */
export interface RequestSource {
  /** The `Origin` header. */
  readonly origin: string | undefined;
  /** The `Sec-Fetch-Site` header: also sent where there is no `Origin`, as with images of a foreign page. */
  readonly site: string | undefined;
}

/** Whether a request comes from our own pages, from the address bar, or from a program. */
export function isOurOrigin({ origin, site }: RequestSource, port: number): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  return origin.startsWith('http://') && isOurHost(origin.slice('http://'.length), port);
}
