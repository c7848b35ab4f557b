/**
 * The minimum length of a value to redact. Shorter ones occur in ordinary text: a gateway that needs no key may get
 * "x".
 */
const SHORTEST = 4;
const SCHEME = /^(?:bearer|basic|digest)$/i;

/**
 * Returns a function that redacts these header values in a string, and each of their words: for "Bearer abc", also
 * "abc". Servers and proxies may echo the credentials that they reject.
 */
export function hiding(credentials: readonly string[]): (text: string) => string {
  const words = credentials.flatMap((value) => [value, ...value.split(/\s+/)]);
  const secrets = [...new Set(words)]
    .filter((word) => word.length >= SHORTEST && !SCHEME.test(word))
    // Longest first, because one may contain another.
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}
