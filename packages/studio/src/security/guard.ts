import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { refusal } from '../http/refusal.ts';
import { bearerToken, cookieName, isSameToken } from './token.ts';

export interface GuardOptions {
  readonly port: number;
  /** Token that programs must send, or `null` if none is required. */
  readonly token: string | null;
  /**
   * Cookie of admitted browsers. It must differ from the token, because browsers send
   * cookies to every port on this machine, and other servers there must not learn the token.
   */
  readonly cookie: string;
  /** When token and cookie end, in Unix milliseconds. */
  readonly expiresAt: number;
  /** One-time codes, each of which admits one browser. */
  readonly codes: Set<string>;
}

/**
 * Admits requests that are addressed to this server, come from its own pages or a program, and carry a secret: the
 * cookie of a browser, or a bearer token. Opening the link sets the cookie and removes the secret from the address bar.
 */
export function guard({ port, token, cookie, expiresAt, codes }: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value);
    if (!isOurHost(c.req.header('host'), port)) {
      throw refusal(403, `This server answers only requests to http://127.0.0.1:${port}.`);
    }
    if (!isOurOrigin(c.req.header('origin'), c.req.header('sec-fetch-site'), port)) {
      throw refusal(403, 'This server answers only its own pages, not those of other origins.');
    }
    if (token === null) return next();
    if (Date.now() >= expiresAt) {
      throw refusal(
        401,
        'The link has expired after 30 days: start agent-criteria studio again, and open its new link.',
      );
    }
    const inLink = c.req.method === 'GET' ? c.req.query('token') : undefined;
    if (isSameToken(inLink, token)) return letIn(c, cookie, port);
    const code = c.req.method === 'GET' ? c.req.query('code') : undefined;
    if (code !== undefined && codes.delete(code)) return letIn(c, cookie, port);
    if (isSameToken(bearerToken(c.req.header('authorization')), token)) return next();
    if (isSameToken(getCookie(c, cookieName(port)), cookie)) return next();
    throw refusal(
      401,
      'Open the link that agent-criteria studio printed; a program sends its token as "Authorization: Bearer TOKEN".',
    );
  };
}

/** Sets the cookie and redirects to the page without the secret, which keeps it out of the history and copied links. */
function letIn(c: Context, cookie: string, port: number): Response {
  setCookie(c, cookieName(port), cookie, { httpOnly: true, sameSite: 'Strict', path: '/' });
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.delete('token');
  searchParams.delete('code');
  const query = searchParams.toString();
  // Two leading slashes would name another host.
  return c.redirect(`${pathname.replace(/^\/+/, '/')}${query === '' ? '' : `?${query}`}`, 303);
}

/** Allows only the studio's own resources, and no inline scripts, inline styles or framing. */
export const OURS = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': OURS.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Names by which browsers address this machine. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a `Host` header names this server. In DNS rebinding, a foreign name resolves to 127.0.0.1, but the header
 * still contains that name.
 */
function isOurHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false;
  return NAMES.some((name) => host.toLowerCase() === `${name}:${port}` || (port === 80 && host.toLowerCase() === name));
}

/**
 * Whether a request comes from the studio's own pages, the address bar or a program.
 * @param site `Sec-Fetch-Site`, which is sent even without `Origin`, for example for images on foreign pages.
 */
function isOurOrigin(origin: string | undefined, site: string | undefined, port: number): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  return origin.startsWith('http://') && isOurHost(origin.slice('http://'.length), port);
}

/** The largest body that a request may have, and how to do without a larger one. */
export interface BodyLimit {
  readonly maxBytes: number;
  readonly advice: string;
}

/** Rejects large bodies before they are read. Node ensures that bodies match their declared length. */
export function bodyLimit(limitOf: (method: string, path: string) => BodyLimit): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) {
      throw refusal(411, 'Send the length of the body (Content-Length): streamed requests are not accepted.');
    }
    const length = Number(c.req.header('content-length') ?? 0);
    const { maxBytes, advice } = limitOf(c.req.method, c.req.path);
    if (length > maxBytes) {
      throw refusal(413, `The request has ${sizeOf(length)}, and at most ${sizeOf(maxBytes)} are accepted: ${advice}.`);
    }
    return next();
  };
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
