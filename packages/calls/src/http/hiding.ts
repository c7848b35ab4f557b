/** The smallest number of characters to remove. Shorter values occur in ordinary texts: a gateway without keys may get "x". */
const SHORTEST = 4;
const SCHEME = /^(?:bearer|basic|digest)$/i;

/**
 * Returns a function that removes these values of headers, and their words, from texts: for "Bearer abc", also "abc". Servers and
 * proxies may repeat the credentials that they refuse.
 */
export function hiding(credentials: readonly string[]): (text: string) => string {
  const words = credentials.flatMap((value) => [value, ...value.split(/\s+/)]);
  const secrets = [...new Set(words)]
    .filter((word) => word.length >= SHORTEST && !SCHEME.test(word))
    // The longest first, because one may contain another.
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}
