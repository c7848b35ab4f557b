import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits as text that a URL and a cookie can hold. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in a time that says nothing about where two tokens differ, nor how long they are. */
export function isSameToken(given: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(authorization ?? '')?.[1];
}

/** A browser keeps one jar of cookies for all ports of a host, so two studios on one machine need two names. */
export function cookieName(port: number): string {
  return `agent_criteria_studio_${port}`;
}
