import { isObject } from '@agent-criteria/formats';
import { type Context, Hono } from 'hono';
import { refusal } from '../../http/refusal.ts';
import { partsOf } from '../../sessions/event.ts';
import type { Studio } from '../../studio.ts';
import { agentGraph, dotOf } from '../../traces/agent-graph.ts';
import { appIn, sessionIn } from './request.ts';

/** Serves agents with their tools and sub-agents. Below `/apps/:app` and `/dev/apps/:app`. */
export function agentGraphRoutes(studio: Studio): Hono {
  const graph = async (c: Context) =>
    studio.mask.json(await agentGraph(await studio.agents.of(appIn(studio, c)), c.req.raw.signal));
  return (
    new Hono()
      .get('/build_graph', async (c) => c.json({ name: appIn(studio, c).name, root_agent: await graph(c), readme: '' }))
      .get('/build_graph_image', async (c) => {
        const dotSrc = dotOf(await graph(c), { dark: c.req.query('dark_mode') === 'true' });
        // `root_agent` is the path of a node; the client's dialog for a single node reads the top-level `dotSrc`.
        return c.json({ root_agent: { dotSrc }, dotSrc });
      })
      .get('/users/:user/sessions/:session/events/:event/graph', async (c) => {
        const session = sessionIn(studio, c);
        const event = session.events.find(({ id }) => id === c.req.param('event'));
        if (event === undefined) return c.json({});
        const called = partsOf(event)
          .filter(isObject)
          .flatMap(({ functionCall, functionResponse }) => {
            const step = functionCall ?? functionResponse;
            return isObject(step) && typeof step.name === 'string' ? [step.name] : [];
          });
        const marked = new Set([String(event.author), ...called]);
        return c.json({ dotSrc: dotOf(await graph(c), { called: marked }) });
      })
      // There is no visual agent builder in TypeScript.
      .get('/builder', (c) => c.text(''))
      .get('/tests', (c) => c.json([]))
  );
}

/** Serves the spans of turns. Below `/apps/:app` and `/dev/apps/:app`; the oldest clients name no app. */
export function traceRoutes({ apps, sessions, mask }: Studio): Hono {
  const visible = (c: Context) => {
    const named = c.req.param('app') === undefined ? apps : [appIn({ apps }, c)];
    return named.flatMap(({ name }) => sessions.ofApp(name));
  };
  return new Hono()
    .get('/debug/trace/session/:session', (c) => {
      const id = c.req.param('session');
      return c.json(mask.json(visible(c).find((session) => session.id === id)?.spans ?? []));
    })
    .get('/debug/trace/:event', (c) => {
      const id = c.req.param('event');
      const spans = visible(c).flatMap((session) => session.spans);
      const span = spans.find(({ attributes }) => attributes['gcp.vertex.agent.event_id'] === id);
      if (span === undefined) throw refusal(404, `Trace not found: no call made the event ${id}.`);
      return c.json(mask.json({ ...span.attributes, trace_id: span.trace_id, span_id: span.span_id }));
    });
}
