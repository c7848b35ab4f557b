/** The names under which a browser on this machine reaches a server that listens on 127.0.0.1. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a `Host` header names this server. A page of a foreign name that resolves to 127.0.0.1 (DNS rebinding) sends its own
 * name here, however it got a connection.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false;
  return NAMES.some((name) => host.toLowerCase() === `${name}:${port}` || (port === 80 && host.toLowerCase() === name));
}

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
