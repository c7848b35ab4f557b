/** In characters. Shorter values occur in ordinary texts: users give "x" to a gateway that needs no key. */
const SHORTEST = 4;
const SCHEME = /^(?:bearer|basic|digest)$/i;

/**
 * Makes texts without the values of these headers, and without their words: of "Bearer abc", a server may well say back "abc".
 * Servers and proxies repeat what they refuse.
 */
export function hiding(credentials: readonly string[]): (text: string) => string {
  const words = credentials.flatMap((value) => [value, ...value.split(/\s+/)]);
  const secrets = [...new Set(words)]
    .filter((word) => word.length >= SHORTEST && !SCHEME.test(word))
    // The longest first: one may be a part of another.
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}
