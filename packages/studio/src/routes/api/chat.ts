import { join } from 'node:path';
import { fieldOf } from '@agent-criteria/core/host';
import { addMatchers } from '@agent-criteria/project';
import { type Context, Hono } from 'hono';
import type { CaseDraft, SessionDetail, SessionSummary } from '../../api.ts';
import { appOf } from '../../apps/app-of.ts';
import { readBody } from '../../http/read-body.ts';
import { refusal } from '../../http/refusal.ts';
import { draftOfChat } from '../../sessions/case-of-chat.ts';
import type { AdkEvent, ChatSession } from '../../sessions/chat-session.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';
import { graphOf } from '../../traces/agent-graph.ts';
import { stateOf } from '../sessions.ts';

/** Whose sessions studio's own pages begin, as in ADK's web UI. */
const USER = 'user';
const LONGEST_OPENING = 200;

/** Conversations with what ADK's requests do not tell: the state at the beginning, the trace, the case that could come of one. */
export function chatRoutes(studio: Studio): Hono {
  const { sessions } = studio;
  const named = (c: Context): ChatSession => {
    const id = c.req.param('session') ?? '';
    const found = sessions.find(appOf(studio, c).name, id);
    if (found === undefined) throw refusal(404, `Session not found: ${id}. Sessions end with the studio.`);
    return found;
  };
  const textIn = (body: unknown, name: string): string | undefined => {
    const value = fieldOf(body, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return new Hono()
    .get('/apps/:app/agent', async (c) => {
      const agent = await studio.agents.of(appOf(studio, c));
      return c.json(graphOf((await agent.describe?.(c.req.raw.signal)) ?? { name: agent.name }));
    })
    .get('/apps/:app/sessions', (c) => c.json(sessions.listed(appOf(studio, c).name).map(summaryOf).reverse()))
    .post('/apps/:app/sessions', async (c) => {
      const state = stateOf(fieldOf(await readBody(c), 'state'));
      const owner = { appName: appOf(studio, c).name, userId: USER };
      return c.json(detailOf(sessions.create(owner, { id: undefined, state, events: [] })));
    })
    .get('/apps/:app/sessions/:session', (c) => c.json(detailOf(named(c))))
    .delete('/apps/:app/sessions/:session', async (c) => {
      const { appName, userId, id } = named(c);
      await sessions.remove({ appName, userId }, id);
      return c.json(null);
    })
    .post('/apps/:app/sessions/:session/case', async (c) => {
      const session = named(c);
      const body = await readBody(c);
      const setId = textIn(body, 'set');
      const { evalCase: bare, notes } = draftOfChat(session, textIn(body, 'evalId'));
      const app = appOf(studio, c);
      // A set that is not there yet will be in the folder of its app.
      const file = setId === undefined ? join(app.folder, 'new.evalset.json') : (await setOf(studio, app, setId)).file;
      const { evalCase, suggestions } = await addMatchers(bare, file);
      const draft: CaseDraft = { evalCase, bare, suggestions, notes };
      return c.json(draft);
    });
}

function detailOf(session: ChatSession): SessionDetail {
  const { id, userId, initialState, state, isImported, isBusy, events, spans } = session;
  return { id, userId, initialState, state, isImported, isBusy, events, spans };
}

function summaryOf({ id, userId, events, lastUpdateTime }: ChatSession): SessionSummary {
  const asked = events.filter(({ author }) => author === 'user');
  const opening = asked.map(textOf).find((text) => text !== '') ?? '';
  return { id, userId, opening: opening.slice(0, LONGEST_OPENING), messages: asked.length, lastUpdateTime };
}

function textOf(event: AdkEvent): string {
  const parts = fieldOf(event.content, 'parts');
  if (!Array.isArray(parts)) return '';
  return parts
    .map((part) => fieldOf(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join(' ');
}
