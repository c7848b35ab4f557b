import { askJson, type Connection, exchange, isRefusal, refusalOf } from '@agent-criteria/calls/agent-server';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { segmentOf } from './agent-url.ts';
import { noSuchApp, onlyApp } from './server.ts';

/** Matches ADK's internal apps, which servers do not list. */
const HIDDEN = /^__/;

/**
 * Finds problems that would break every session with an app: an unreachable server, rejected credentials, or a
 * missing app. A server that does not list its apps, or is temporarily busy, is not a problem.
 *
 * @param app The app, or `null` for the server's only one.
 */
export async function checkServer(
  connection: Connection,
  app: string | null,
  options: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<readonly Problem[]> {
  try {
    if (app === null) await onlyApp(connection, options.timeout, options.signal);
    else await checkApp(connection, app, options);
    return [];
  } catch (error) {
    if (CriteriaError.is(error)) return error.problems;
    throw error;
  }
}

async function checkApp(connection: Connection, app: string, options: Parameters<typeof checkServer>[2]) {
  const list = { method: 'GET', path: '/list-apps', ...options } as const;
  const told = await exchange(connection, list, async (answer) => (await refusalOf(answer)) ?? (await answer.text()));
  const apps = isRefusal(told) ? null : appsIn(told);
  if (apps !== null) {
    if (apps.includes(app) || HIDDEN.test(app)) return;
    throw noSuchApp(connection, app, apps);
  }
  // A gateway may allow only the session routes, so ask one of them.
  const path = `/apps/${segmentOf(app, 'the app')}/users/agent-criteria/sessions/agent-criteria-check`;
  const session = await askJson(connection, { method: 'GET', path, ...options });
  if (isRefusal(session) && stays(session.status)) throw session.error;
}

/** Whether a status means that retrying with these credentials will never work. */
function stays(status: number): boolean {
  return status === 401 || status === 403 || (status >= 300 && status < 400);
}

function appsIn(text: string): readonly string[] | null {
  try {
    const apps: unknown = JSON.parse(text);
    return Array.isArray(apps) && apps.every((app) => typeof app === 'string') ? apps : null;
  } catch {
    return null;
  }
}
