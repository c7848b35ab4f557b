import { fieldOf } from '@agent-criteria/formats/schema';
import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { readBody, refusal } from '../../http/refusal.ts';
import type { AdkEvent } from '../../sessions/event.ts';
import { maskedEvents } from '../../sessions/masked-events.ts';
import { checkReady, runTurn } from '../../sessions/run-turn.ts';
import type { Studio } from '../../studio.ts';
import { contentIn, textIn } from './request.ts';
import { stateOf } from './sessions.ts';

/** Sends messages to agents. `/run` responds after the turn; `/run_sse` streams its events. */
export function runRoutes(studio: Studio): Hono {
  return new Hono()
    .post('/run', async (c) => {
      const send = await prepare(studio, c, false);
      const events: AdkEvent[] = [];
      await send((event) => void events.push(event));
      return c.json(events);
    })
    .post('/run_sse', async (c) => {
      const send = await prepare(studio, c, true);
      return streamSSE(c, async (stream) => {
        let written = Promise.resolve();
        await send((event) => {
          written = written.then(() => stream.writeSSE({ data: JSON.stringify(event) }));
        });
        await written;
      });
    });
}

/** Checks the whole request before the response begins. */
async function prepare({ apps, agents, sessions, mask }: Studio, c: Context, canStream: boolean) {
  const body = await readBody(c);
  const appName = textIn(body, 'appName');
  const app = apps.find(({ name }) => name === appName);
  if (app === undefined) throw refusal(404, `App not found: ${appName}`);
  const session = sessions.get({ appName, userId: textIn(body, 'userId') }, textIn(body, 'sessionId'));
  const content = contentIn(fieldOf(body, 'newMessage'), 'newMessage');
  const stateDelta = stateOf(fieldOf(body, 'stateDelta'));
  const { agent, release } = await agents.lease(app);
  try {
    checkReady(session, agent, stateDelta);
  } catch (error) {
    release();
    throw error;
  }
  const streaming = canStream && fieldOf(body, 'streaming') === true;
  // A disconnected client stops the agent, as in ADK.
  const { signal } = c.req.raw;
  return (on: (event: AdkEvent) => void) => {
    const masked = maskedEvents(mask);
    const show = (event: AdkEvent): void => {
      const shown = masked(event);
      if (shown !== null) on(shown);
    };
    const message = { content, stateDelta, streaming, folder: app.folder, signal };
    return runTurn(session, agent, message, show, () => sessions.save(session)).finally(release);
  };
}
