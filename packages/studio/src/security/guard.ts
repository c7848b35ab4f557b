import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { refusal } from '../http/refusal.ts';
import { isOurHost, isOurOrigin } from './host.ts';
import { bearerToken, cookieName, isSameToken } from './token.ts';

export interface GuardOptions {
  /** Port of the server. */
  readonly port: number;
  /** Token that programs must send, if any. */
  readonly token: string | null;
  /**
   * Cookie of admitted browsers, valid while the server runs. It must differ from the token: browsers send cookies to all ports
   * of this machine, and other servers there must not learn the token.
   */
  readonly cookie: string;
  /** One-time codes, each of which admits one browser. */
  readonly codes: Set<string>;
}

/**
 * Admits requests that address this server, come from its own pages or a program, and carry a secret: the cookie of a browser,
 * or a bearer token. The link sets the cookie, and its secret is removed from the address bar.
 */
export function guard({ port, token, cookie, codes }: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value);
    if (!isOurHost(c.req.header('host'), port)) {
      throw refusal(403, `This server answers only requests to http://127.0.0.1:${port}.`);
    }
    if (!isOurOrigin({ origin: c.req.header('origin'), site: c.req.header('sec-fetch-site') }, port)) {
      throw refusal(403, 'This server answers only its own pages, not those of other origins.');
    }
    if (token === null) return next();
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

/** Sets the cookie and redirects to the page without the secret, which thus is not in the history and not in copied links. */
function letIn(c: Context, cookie: string, port: number): Response {
  setCookie(c, cookieName(port), cookie, { httpOnly: true, sameSite: 'Strict', path: '/' });
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.delete('token');
  searchParams.delete('code');
  const query = searchParams.toString();
  // Two slashes would be another host.
  return c.redirect(`${pathname.replace(/^\/+/, '/')}${query === '' ? '' : `?${query}`}`, 303);
}

/** Only own resources, no inline scripts and styles, no framing. */
const OURS = [
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

/** Headers of every response. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': OURS.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
