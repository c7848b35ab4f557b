import type { Content } from '@agent-criteria/core';
import { parseInvocation } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import type { Context } from 'hono';
import { type App, appOf } from '../../apps/app.ts';
import { missing, parsed, type RefusalStatus } from '../../http/refusal.ts';
import type { ChatSession } from '../../sessions/chat-session.ts';
import type { SessionOwner } from '../../sessions/new-session.ts';
import { type FoundSet, setOf } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';

/** Finds the app in the path of a request. @throws A 404 refusal. */
export function appIn(studio: Pick<Studio, 'apps'>, c: Context): App {
  return appOf(studio, c.req.param('app'));
}

/**
 * Finds the set in the path of a request. @throws A refusal with status 404, or with the status that ADK returns here.
 */
export function setIn(studio: Studio, c: Context, missing?: RefusalStatus): Promise<FoundSet> {
  return setOf(studio, c.req.param('app'), c.req.param('set'), missing);
}

export function ownerIn(studio: Studio, c: Context): SessionOwner {
  return { appName: appIn(studio, c).name, userId: c.req.param('user') ?? '' };
}

/** Finds the session in the path of a request. @throws A 404 refusal. */
export function sessionIn(studio: Studio, c: Context): ChatSession {
  return studio.sessions.get(ownerIn(studio, c), c.req.param('session') ?? '');
}

/** Reads a required text from a body. @throws A 422 refusal. */
export function textIn(body: unknown, name: string): string {
  const value = fieldOf(body, name);
  if (typeof value === 'string') return value;
  throw missing(name);
}

/** Reads a user's message from a field of a body. @throws A 422 refusal. */
export function contentIn(value: unknown, name: string): Content {
  return parsed(
    () => parseInvocation({ user_content: value }).value.userContent,
    () => ['body', name],
  );
}
