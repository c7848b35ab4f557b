import { Hono } from 'hono';
import manifest from '../../../package.json' with { type: 'json' };
import type { StudioInfo } from '../../api.ts';
import type { Studio } from '../../studio.ts';

export function infoRoutes({ apps, notices }: Studio): Hono {
  const info: StudioInfo = {
    version: manifest.version,
    apps: apps.map(({ name, agent }) => ({ name, hasAgent: agent !== null })),
    notices,
  };
  return new Hono().get('/studio', (c) => c.json(info));
}
