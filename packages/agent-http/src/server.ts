import { askJson, type Connection, isRefusal, type Refusal } from '@agent-criteria/calls/agent-server';
import { CriteriaError } from '@agent-criteria/core';
import { urlOfApp } from './agent-url.ts';

/** Lists a server's apps. Returns `null` if it does not report them. */
export async function listApps(
  connection: Connection,
  timeout: number,
  signal?: AbortSignal,
): Promise<string[] | null> {
  const answer = await askJson(connection, { method: 'GET', path: '/list-apps', timeout, signal });
  if (isRefusal(answer)) {
    if (answer.status === 404 || answer.status === 405) return null;
    throw answer.error;
  }
  const { body } = answer;
  return Array.isArray(body) ? body.filter((app) => typeof app === 'string') : null;
}

/**
 * Returns a server's only app.
 *
 * @throws CriteriaError AGENT_NOT_FOUND if it has none, or has several, in which case the error lists their URLs.
 */
export async function onlyApp(connection: Connection, timeout: number, signal?: AbortSignal): Promise<string> {
  const { server } = connection;
  const apps = await listApps(connection, timeout, signal);
  if (apps?.length === 1) return apps[0]!;
  if (apps === null)
    throw appNotFound(server, `the server does not list its apps: add the app to the URL, as in ${server}/apps/my_app`);
  if (apps.length === 0) throw appNotFound(server, 'the server has no app: it must be started where the agents are');
  throw appNotFound(server, `the server has ${apps.length} apps: choose one of them, ${urlsOf(server, apps)}`);
}

/** Returns the refusal's error, or a more helpful one if the server has no such app. */
export async function explain(
  connection: Connection,
  app: string,
  refusal: Refusal,
  timeout: number,
  signal?: AbortSignal,
): Promise<CriteriaError> {
  if (refusal.status !== 404 && refusal.status < 500) return refusal.error;
  // If the apps cannot be listed, the original error is reported.
  const apps = await listApps(connection, timeout, signal).catch(() => null);
  signal?.throwIfAborted();
  if (apps === null || apps.includes(app)) return refusal.error;
  return noSuchApp(connection, app, apps);
}

export function noSuchApp({ server }: Connection, app: string, apps: readonly string[]): CriteriaError {
  const others = apps.length === 0 ? 'it has none' : `it has ${urlsOf(server, apps)}`;
  return appNotFound(urlOfApp(server, app), `the server has no app "${app}": ${others}`);
}

const MOST_APPS = 20;

function urlsOf(server: string, apps: readonly string[]): string {
  const urls = apps.slice(0, MOST_APPS).map((app) => urlOfApp(server, app));
  return `${urls.join(', ')}${apps.length > MOST_APPS ? ` and ${apps.length - MOST_APPS} more` : ''}`;
}

function appNotFound(file: string, message: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_NOT_FOUND', file, message });
}
