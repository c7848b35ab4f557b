import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Creates a token of 256 random bits, safe for URLs and cookies. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time, which reveals neither where the tokens differ nor their lengths. */
export function isSameToken(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(authorization ?? '')?.[1];
}

/** Names the cookie after the port, because browsers share cookies between all ports of a host. */
export function cookieName(port: number): string {
  return `agent_criteria_studio_${port}`;
}
