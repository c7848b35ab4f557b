import type { ModelAccess, Problem } from '@agent-criteria/core';

/** `process.env`, or the environment of a run. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A server's address, and the credentials. */
export interface Connection {
  /** The base URL including `/v1`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A connection and its description for people. */
export interface Connected extends Connection {
  readonly access: ModelAccess;
  /** The URL for chat completions, or `null` if the base URL is invalid. */
  readonly url: URL | null;
}

/** Describes the connection, adding its own problems to `problems`. */
export function connected(
  connection: Connection,
  words: { readonly service: string; readonly credentials: string | null; readonly urlFrom: string },
  problems: readonly Problem[] = [],
): Connected {
  const { service, credentials, urlFrom } = words;
  const place = placeOf(connection.baseUrl);
  if ('problem' in place) {
    const wrong: Problem = { code: 'INVALID_CONFIG', message: `${urlFrom} ${place.problem}` };
    return { ...connection, url: null, access: { service, credentials, problems: [...problems, wrong] } };
  }
  return {
    ...connection,
    url: completionsUrl(place.url),
    access: { service: `${service} at ${shownUrl(place.url)}`, credentials, problems },
  };
}

function placeOf(baseUrl: string): { readonly url: URL } | { readonly problem: string } {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    return { problem: 'is not a URL; write it as "http://127.0.0.1:8000/v1"' };
  }
  const url = new URL(baseUrl);
  if (url.username === '' && url.password === '') return { url };
  return { problem: 'contains a user name or password, which is not supported; use an API key or a header' };
}

/** Removes possible secrets from a URL. */
function shownUrl({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '');
}

/** Returns the URL for chat completions. Preserves a query, such as Azure's `?api-version=`. */
function completionsUrl(base: URL): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

/** Adds `/v1` to a base URL without a path. */
export function withVersion(url: string): string {
  if (!URL.canParse(url) || new URL(url).pathname !== '/') return url;
  return new URL('/v1', url).href;
}

/** Addresses that mean all interfaces to a server, mapped to the address to call. */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/**
 * Returns the base URL for `OLLAMA_HOST`, in any form that Ollama accepts: `host`, `:port`, `host:port`, `[::1]:port`,
 * `http://host/path`.
 */
export function ollamaUrl(host: string): string {
  const plain = host.trim().replace(/^["']|["']$/g, '');
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*)$/is.exec(plain) ?? [];
  const slash = rest.includes('/') ? rest.indexOf('/') : rest.length;
  const authority = rest.slice(0, slash);
  const isBareIpv6 = /^[^[\]]*:[^[\]]*:/.test(authority);
  const [, name = '', port] = isBareIpv6
    ? ['', `[${authority}]`]
    : (/^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority) ?? ['', authority]);
  const called = EVERYWHERE.get(name) ?? name;
  const usual = scheme === undefined ? '11434' : scheme.toLowerCase() === 'https' ? '443' : '80';
  return `${scheme ?? 'http'}://${called}:${port || usual}${rest.slice(slash).replace(/\/+$/, '')}/v1`;
}
