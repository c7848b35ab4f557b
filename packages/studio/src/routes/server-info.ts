import { Hono } from 'hono';
import manifest from '../../package.json' with { type: 'json' };
import type { Studio } from '../studio.ts';

/** What ADK's clients ask before anything else. */
export function serverInfoRoutes({ apps }: Studio): Hono {
  return new Hono()
    .get('/health', (c) => c.json({ status: 'ok' }))
    .get('/version', (c) =>
      c.json({ version: manifest.version, language: 'typescript', language_version: process.versions.node }),
    )
    .get('/list-apps', (c) => {
      if (c.req.query('detailed') === undefined) return c.json(apps.map(({ name }) => name));
      return c.json({
        apps: apps.map(({ name }) => ({ name, rootAgentName: name, description: '', language: 'typescript' })),
      });
    });
}
