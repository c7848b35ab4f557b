import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { refusal } from '../http/refusal.ts';
import { isOurHost, isOurOrigin } from './host.ts';
import { bearerToken, cookieName, isSameToken } from './token.ts';

export interface GuardOptions {
  /** On which the server listens. */
  readonly port: number;
  /** The token that a program must send; `null`: none. */
  readonly token: string | null;
  /**
   * The cookie of a browser that was let in, valid as long as this server runs. Never the token: a browser sends cookies to every
   * port of this machine, and another server there must not learn what a program sends.
   */
  readonly cookie: string;
  /** Each lets one browser in, once. */
  readonly codes: Set<string>;
}

/**
 * Lets only requests through that name this server, come from its own pages or from a program, and bring a secret: a browser its
 * cookie, a program the bearer token. The link sets the cookie, and the address bar loses what the link held.
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

/** Sets the cookie and leads to the same page without the secret of the link, so that it is neither in the history nor in a copied link. */
function letIn(c: Context, cookie: string, port: number): Response {
  setCookie(c, cookieName(port), cookie, { httpOnly: true, sameSite: 'Strict', path: '/' });
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.delete('token');
  searchParams.delete('code');
  const query = searchParams.toString();
  // A path of two slashes would lead to another server.
  return c.redirect(`${pathname.replace(/^\/+/, '/')}${query === '' ? '' : `?${query}`}`, 303);
}

/** Nothing from elsewhere, no inline script or style, no frame around us. */
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

/** What every answer carries. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': OURS.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
