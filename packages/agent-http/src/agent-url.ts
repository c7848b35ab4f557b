import { CriteriaError } from '@agent-criteria/core';

/** The address of an agent. */
export interface AgentAddress {
  /** The server's root URL, including its path but no trailing slash. */
  readonly server: string;
  /** The app, or `null` if the URL names none. */
  readonly app: string | null;
}

/**
 * Parses the URL of an agent: the root of a server, `<root>/apps/<app>`, or `<root>?app=<app>`. The URL of a chat in
 * ADK's web interface (`<root>/dev-ui/?app=<app>&session=…`) works as well.
 *
 * @throws CriteriaError USAGE for any other URL, and for a URL with credentials, which the error message omits.
 */
export function readAgentUrl(text: string): AgentAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong('the URL of an agent must start with http:// or https://');
  }
  const shown = url.origin + url.pathname;
  if (url.username !== '' || url.password !== '') {
    throw wrong(
      'do not put credentials in the URL of an agent, which is saved and printed: set AGENT_CRITERIA_AGENT_HEADERS={"authorization":"Basic …"}',
      shown,
    );
  }
  const isChat = /\/dev-ui\/?$/.test(url.pathname);
  const path = url.pathname.replace(/\/dev-ui\/?$/, '').replace(/\/+$/, '');
  const unknown = [...url.searchParams.keys()].filter((key) => key !== 'app');
  if (unknown.length > 0 && !isChat) {
    const known = 'the URL of an agent takes only ?app=; put anything else that a server needs into headers';
    throw wrong(`unknown parameter "${unknown[0]}": ${known} (AGENT_CRITERIA_AGENT_HEADERS)`, shown);
  }
  const [, root = '', segment] = /^(.*)\/apps\/([^/]*)$/.exec(path) ?? [];
  const named = segment === undefined ? null : decoded(segment, shown);
  const asked = url.searchParams.get('app') || null;
  if (named !== null && asked !== null && named !== asked) {
    throw wrong(`the path names the app "${named}" and ?app= names "${asked}": keep one of them`, shown);
  }
  if (named === null && /\/apps(\/|$)/.test(path)) {
    throw wrong('the URL of an agent must end with its app: <server>/apps/<app>', shown);
  }
  const app = named ?? asked;
  if (app !== null) checkSegment(app, 'the app', shown);
  return { server: url.origin + (named === null ? path : root), app };
}

/** Returns the URL of an app on a server. */
export function urlOfApp(server: string, app: string): string {
  return `${server}/apps/${encodeURIComponent(app)}`;
}

/**
 * Encodes a name as a path segment.
 *
 * @throws CriteriaError USAGE for an empty name, and for `.` and `..`, which browsers and servers would resolve.
 */
export function segmentOf(name: string, what: string): string {
  checkSegment(name, what);
  return encodeURIComponent(name);
}

function checkSegment(name: string, what: string, file?: string): void {
  if (name !== '' && name !== '.' && name !== '..') return;
  throw wrong(`${what} is "${name}", which cannot be part of the path of a URL: rename it`, file);
}

function decoded(segment: string, file: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw wrong(`the app "${segment}" is not URL-encoded correctly`, file);
  }
}

function wrong(message: string, file?: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message, file });
}
