import { join } from 'node:path';
import type { Agent, Content } from '@agent-criteria/core';
import { fileNames } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';
import { addMatchers } from '@agent-criteria/project/editing';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { AgentDetail, BranchRequest, CaseRequest, SessionDetail, SessionSummary } from '../../api.ts';
import { appOf } from '../../apps/app.ts';
import { missing, mistake, refusal } from '../../http/refusal.ts';
import { artifactFile, attachment, shownContent } from '../../sessions/artifact-content.ts';
import { branchOf } from '../../sessions/branch.ts';
import { draftOfChat } from '../../sessions/case-of-chat.ts';
import { changeState } from '../../sessions/change-state.ts';
import type { ChatSession, RunningTurn } from '../../sessions/chat-session.ts';
import { type AdkEvent, isMessage, isText, partsOf } from '../../sessions/event.ts';
import { maskedArtifact, maskedArtifacts } from '../../sessions/masked-artifacts.ts';
import { maskedEvents } from '../../sessions/masked-events.ts';
import { maskedFiles } from '../../sessions/masked-files.ts';
import { fileProblem } from '../../sessions/message-files.ts';
import { startTurn, whyClosed } from '../../sessions/run-turn.ts';
import { setOf } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import { agentGraph } from '../../traces/agent-graph.ts';
import { contentIn } from '../adk/request.ts';
import { stateOf } from '../adk/sessions.ts';
import type { Handlers } from './handlers.ts';

/** User of the sessions that the studio's own pages create, as in ADK's web UI. */
const USER = 'user';
const LONGEST_OPENING = 200;
const LONGEST_KEY = 100;

/** Serves the aspects of sessions that ADK's own routes lack: initial state, trace, eval case and branches. */
export function chatRoutes(studio: Studio) {
  const { sessions, mask } = studio;
  const sessionOf = ({ app, session: id }: { readonly app: string; readonly session: string }): ChatSession => {
    const found = sessions.find(appOf(studio, app).name, id);
    if (found !== undefined) return found;
    throw refusal(404, `Session not found: ${id}. It may have been deleted, or be older than those that are kept.`);
  };
  const detailed = async (session: ChatSession): Promise<SessionDetail> => {
    // The agent is needed only for an imported session, which it may or may not be able to continue.
    const app = appOf(studio, session.appName);
    const agent = session.origin === 'imported' ? await studio.agents.of(app).catch(() => null) : null;
    return mask.json(maskedFiles(detailOf(session, whyClosed(session, agent)), mask));
  };
  return {
    'GET /apps/:app/agent': async ({ app }, c) =>
      mask.json(await describedAgent(await studio.agents.of(appOf(studio, app)), c.req.raw.signal)),
    'GET /apps/:app/sessions': ({ app }) =>
      mask.json(sessions.listed(appOf(studio, app).name).map(summaryOf).reverse()),
    'POST /apps/:app/sessions': async ({ app, fields }) => {
      const state = stateOf((await fields())('state'));
      const owner = { appName: appOf(studio, app).name, userId: USER };
      return detailed(sessions.create(owner, { id: undefined, state, events: [] }));
    },
    'GET /apps/:app/sessions/:session': (path) => detailed(sessionOf(path)),
    'PATCH /apps/:app/sessions/:session': async ({ fields, ...path }) => {
      const session = sessionOf(path);
      await changeState(session, stateOf((await fields())('stateDelta')));
      sessions.save(session);
      return detailed(session);
    },
    'DELETE /apps/:app/sessions/:session': async (path) => {
      const { appName, userId, id } = sessionOf(path);
      await sessions.remove({ appName, userId }, id);
      return null;
    },
    'POST /apps/:app/sessions/:session/turns': async ({ fields, ...path }) => {
      const session = sessionOf(path);
      const field = await fields();
      const content = contentIn(field('content'), 'content');
      checkFiles(content);
      const key = field('key');
      if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY)) {
        throw mistake(['body', 'key'], `This must be a text of 1 to ${LONGEST_KEY} characters.`);
      }
      const app = appOf(studio, path.app);
      const message = { content, stateDelta: stateOf(field('stateDelta')), streaming: true, key, folder: app.folder };
      const lease = () => studio.agents.lease(app);
      await startTurn(session, lease, message, () => sessions.save(session));
      return null;
    },
    'GET /apps/:app/sessions/:session/turn': (path, c) => {
      const { turn } = sessionOf(path);
      return streamSSE(c, (stream) => sendTurn(turn, mask, stream));
    },
    'POST /apps/:app/sessions/:session/stop': async (path) => {
      const session = sessionOf(path);
      const { turn } = session;
      turn?.stop();
      await turn?.ended;
      return detailed(session);
    },
    'POST /apps/:app/sessions/:session/branch': async ({ fields, ...path }) => {
      const agent = await studio.agents.of(appOf(studio, path.app));
      const session = sessionOf(path);
      const made = await branchOf(sessions, session, agent, branchIn(await fields()));
      return made.session === null ? made : { session: await detailed(made.session), messages: made.messages };
    },
    'GET /apps/:app/sessions/:session/artifacts': (path) => maskedArtifacts(sessionOf(path), mask),
    'GET /apps/:app/sessions/:session/artifacts/:name/:version': async ({ name, version, ...path }) => {
      const part = await maskedArtifact(sessionOf(path), name, version, mask);
      const { mimeType, bytes } = artifactFile(part);
      return mask.json({ name, version: Number(version), mimeType, bytes: bytes.length, shown: shownContent(part) });
    },
    'GET /apps/:app/sessions/:session/artifacts/:name/:version/file': async ({ name, version, ...path }, c) => {
      const part = await maskedArtifact(sessionOf(path), name, version, mask);
      // Makes browsers save the file and never open it, whatever it contains.
      c.header('Content-Type', 'application/octet-stream');
      c.header('Content-Disposition', attachment(mask.text(name)));
      c.header('Content-Security-Policy', "default-src 'none'; sandbox");
      return c.body(artifactFile(part).bytes);
    },
    'POST /apps/:app/sessions/:session/case': async ({ fields, ...path }) => {
      const session = sessionOf(path);
      const field = await fields();
      const text = (name: keyof CaseRequest): string | undefined => {
        const value = field(name);
        return typeof value === 'string' && value !== '' ? value : undefined;
      };
      const setId = text('set');
      const made = draftOfChat(session, text('evalId'));
      const { evalCase: bare, notes } = mask.json(maskedFiles(made, mask));
      // A set that does not exist yet will be created in the app folder.
      const file =
        setId === undefined
          ? join(appOf(studio, path.app).folder, 'new.evalset.json')
          : (await setOf(studio, path.app, setId)).file;
      const { evalCase, suggestions } = await addMatchers(bare, file);
      return { evalCase, bare, suggestions, notes: bare === made.evalCase ? notes : [...notes, MASKED] };
    },
  } satisfies Partial<Handlers>;
}

/** Sends a running turn: its message, its events so far and those to come. The last event is `end`. */
async function sendTurn(turn: RunningTurn | null, mask: SecretMask, stream: SSEStreamingApi): Promise<void> {
  let problem: string | null = null;
  if (turn !== null) {
    let written = stream.writeSSE({
      event: 'message',
      data: JSON.stringify(mask.json(maskedFiles(turn.message, mask))),
    });
    const masked = maskedEvents(mask);
    const write = (event: AdkEvent): void => {
      const shown = masked(maskedFiles(event, mask));
      if (shown !== null)
        written = written.then(() => stream.writeSSE({ event: 'event', data: JSON.stringify(shown) }));
    };
    turn.events().forEach(write);
    const forget = turn.watch(write);
    const gone = new Promise<null>((settle) => stream.onAbort(() => settle(null)));
    problem = await Promise.race([turn.ended, gone]);
    forget();
    await written;
  }
  await stream.writeSSE({ event: 'end', data: JSON.stringify(mask.json(problem === null ? {} : { problem })) });
}

async function describedAgent(agent: Agent, signal: AbortSignal): Promise<AgentDetail> {
  return { ...(await agentGraph(agent, signal)), supportsFiles: agent.supportsFiles === true };
}

/** @throws A refusal with status 413 for files beyond a limit, or 422 for a file that cannot be sent. */
function checkFiles(content: Content): void {
  const problem = fileProblem(content);
  if (problem === null) return;
  if (problem.isLimit) throw refusal(413, problem.message);
  throw mistake(['body', 'content', 'parts', problem.part ?? 0, 'inlineData'], problem.message);
}

const MASKED =
  'Secrets in this conversation are masked in the case. Look for “[masked: …]” below, and write what may be expected in its place.';

/** @throws A 422 refusal. */
function branchIn(field: (name: keyof BranchRequest) => unknown): BranchRequest {
  const [event, text] = (['event', 'text'] as const).map((name) => {
    const value = field(name);
    if (typeof value === 'string' && value.trim() !== '') return value;
    throw missing(name);
  }) as [string, string];
  return { event, text, resend: field('resend') === true };
}

function detailOf(session: ChatSession, closed: string | null): SessionDetail {
  const { id, userId, continues, initialState, state, turn, live, events, spans, startedOver, unsaved } = session;
  const takesState = live === null || live.changeState !== undefined;
  const answer = { isBusy: turn !== null, turnFrom: turn?.from ?? null };
  return {
    id,
    userId,
    continues,
    initialState,
    state,
    takesState,
    closed,
    ...answer,
    startedOver,
    unsaved,
    events,
    spans,
  };
}

function summaryOf({ id, userId, events, lastUpdateTime }: ChatSession): SessionSummary {
  const asked = events.filter(isMessage);
  const opening =
    asked
      .map((event) => textOf(event) || fileNames(Object(event.content) as Content).join(', '))
      .find((text) => text !== '') ?? '';
  return { id, userId, opening: opening.slice(0, LONGEST_OPENING), messages: asked.length, lastUpdateTime };
}

function textOf(event: AdkEvent): string {
  return partsOf(event)
    .flatMap((part) => (isText(part) ? [part.text] : []))
    .join(' ');
}
