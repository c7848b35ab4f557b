import { type Context, Hono } from 'hono';
import { refusal } from '../../http/refusal.ts';
import type { Studio } from '../../studio.ts';
import { appIn } from './request.ts';

/** Spans of turns. Below `/apps/:app` and `/dev/apps/:app`; the oldest clients name no app. */
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
