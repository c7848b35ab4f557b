/** Names of this machine in browsers. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a `Host` header names this server. In DNS rebinding, a foreign name resolves to 127.0.0.1, but the header still has
 * that name.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false;
  return NAMES.some((name) => host.toLowerCase() === `${name}:${port}` || (port === 80 && host.toLowerCase() === name));
}

/** Headers in which a browser reports the origin of a request. */
export interface RequestSource {
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which is sent even without `Origin`, for example for images on foreign pages. */
  readonly site: string | undefined;
}

/** Whether a request comes from our own pages, the address bar, or a program. */
export function isOurOrigin({ origin, site }: RequestSource, port: number): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  return origin.startsWith('http://') && isOurHost(origin.slice('http://'.length), port);
}
