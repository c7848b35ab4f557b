import { join } from 'node:path';
import { fieldOf } from '@agent-criteria/formats/schema';
import { addMatchers } from '@agent-criteria/project/editing';
import { type Context, Hono } from 'hono';
import type { ArtifactContent, Branch, BranchWish, CaseDraft, SessionDetail, SessionSummary } from '../../api.ts';
import { appOf } from '../../apps/app-of.ts';
import { readBody } from '../../http/read-body.ts';
import { refusal } from '../../http/refusal.ts';
import { artifactFile, attachment, shownContent } from '../../sessions/artifact-content.ts';
import { branchOf } from '../../sessions/branch.ts';
import { draftOfChat } from '../../sessions/case-of-chat.ts';
import { changeState } from '../../sessions/change-state.ts';
import type { AdkEvent, ChatSession } from '../../sessions/chat-session.ts';
import { isMessage } from '../../sessions/event-kind.ts';
import { maskedArtifact, maskedArtifacts } from '../../sessions/masked-artifacts.ts';
import { whyClosed } from '../../sessions/run-turn.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';
import { graphOf } from '../../traces/agent-graph.ts';
import { stateOf } from '../sessions.ts';

/** Whose sessions studio's own pages begin, as in ADK's web UI. */
const USER = 'user';
const LONGEST_OPENING = 200;
const SESSION = '/apps/:app/sessions/:session';

/**
 * Conversations with what ADK's requests do not tell: the state at the beginning, the trace, the case that could come of one; and
 * another message in place of one that was sent.
 */
export function chatRoutes(studio: Studio): Hono {
  const { sessions, mask } = studio;
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
  const detailed = async (c: Context, session: ChatSession): Promise<SessionDetail> => {
    // Only a session that the agent did not lead itself depends on what it can do.
    const agent = session.origin === 'imported' ? await studio.agents.of(appOf(studio, c)).catch(() => null) : null;
    return mask.json(detailOf(session, whyClosed(session, agent)));
  };
  const artifact = async (c: Context) => {
    const [name = '', version = ''] = [c.req.param('name'), c.req.param('version')];
    return { name, version: Number(version), part: await maskedArtifact(named(c), name, version, mask) };
  };
  return new Hono()
    .get('/apps/:app/agent', async (c) => {
      const agent = await studio.agents.of(appOf(studio, c));
      return c.json(mask.json(graphOf((await agent.describe?.(c.req.raw.signal)) ?? { name: agent.name })));
    })
    .get('/apps/:app/sessions', (c) =>
      c.json(mask.json(sessions.listed(appOf(studio, c).name).map(summaryOf).reverse())),
    )
    .post('/apps/:app/sessions', async (c) => {
      const state = stateOf(fieldOf(await readBody(c), 'state'));
      const owner = { appName: appOf(studio, c).name, userId: USER };
      return c.json(await detailed(c, sessions.create(owner, { id: undefined, state, events: [] })));
    })
    .get(SESSION, async (c) => c.json(await detailed(c, named(c))))
    .patch(SESSION, async (c) => {
      const session = named(c);
      await changeState(session, stateOf(fieldOf(await readBody(c), 'stateDelta')));
      return c.json(await detailed(c, session));
    })
    .delete(SESSION, async (c) => {
      const { appName, userId, id } = named(c);
      await sessions.remove({ appName, userId }, id);
      return c.json(null);
    })
    .post(`${SESSION}/stop`, async (c) => {
      const session = named(c);
      const { turn } = session;
      turn?.stop();
      await turn?.ended;
      return c.json(await detailed(c, session));
    })
    .post(`${SESSION}/branch`, async (c) => {
      const agent = await studio.agents.of(appOf(studio, c));
      const made = await branchOf(sessions, named(c), agent, wishIn(await readBody(c)));
      if (made.session === null) return c.json(made);
      const branch: Branch = { session: await detailed(c, made.session), messages: made.messages };
      return c.json(branch);
    })
    .get(`${SESSION}/artifacts`, async (c) => c.json(await maskedArtifacts(named(c), mask)))
    .get(`${SESSION}/artifacts/:name/:version`, async (c) => {
      const { part, ...which } = await artifact(c);
      const { mimeType, bytes } = artifactFile(part);
      const content: ArtifactContent = { ...which, mimeType, bytes: bytes.length, shown: shownContent(part) };
      return c.json(mask.json(content));
    })
    .get(`${SESSION}/artifacts/:name/:version/file`, async (c) => {
      const { name, part } = await artifact(c);
      // Whatever it is, a browser saves it and opens nothing.
      c.header('Content-Type', 'application/octet-stream');
      c.header('Content-Disposition', attachment(mask.text(name)));
      c.header('Content-Security-Policy', "default-src 'none'; sandbox");
      return c.body(artifactFile(part).bytes);
    })
    .post(`${SESSION}/case`, async (c) => {
      const session = named(c);
      const body = await readBody(c);
      const setId = textIn(body, 'set');
      const made = draftOfChat(session, textIn(body, 'evalId'));
      const { evalCase: bare, notes } = mask.json(made);
      const app = appOf(studio, c);
      // A set that is not there yet will be in the folder of its app.
      const file = setId === undefined ? join(app.folder, 'new.evalset.json') : (await setOf(studio, app, setId)).file;
      const { evalCase, suggestions } = await addMatchers(bare, file);
      const hasSecrets = bare !== made.evalCase;
      const draft: CaseDraft = { evalCase, bare, suggestions, notes: hasSecrets ? [...notes, MASKED] : notes };
      return c.json(draft);
    });
}

const MASKED =
  'Secrets in this conversation are masked in the case. Look for “[masked: …]” below, and write what may be expected in its place.';

/** @throws A refusal, 422. */
function wishIn(body: unknown): BranchWish {
  const [event, text] = ['event', 'text'].map((name) => {
    const value = fieldOf(body, name);
    if (typeof value === 'string' && value.trim() !== '') return value;
    throw refusal(422, [{ type: 'missing', loc: ['body', name], msg: 'Field required' }]);
  }) as [string, string];
  return { event, text, resend: fieldOf(body, 'resend') === true };
}

function detailOf(session: ChatSession, closed: string | null): SessionDetail {
  const { id, userId, continues, initialState, state, turn, live, events, spans } = session;
  const takesState = live === null || live.changeState !== undefined;
  return { id, userId, continues, initialState, state, takesState, closed, isBusy: turn !== null, events, spans };
}

function summaryOf({ id, userId, events, lastUpdateTime }: ChatSession): SessionSummary {
  const asked = events.filter(isMessage);
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
