import { Hono } from 'hono';
import type { Studio } from '../studio.ts';

/** What a browser sees as long as no web UI is served. */
export function welcomeRoutes({ apps }: Studio): Hono {
  const names = apps.map(({ name }) => name).join(', ');
  return new Hono().get('/', (c) =>
    c.text(
      `agent-criteria studio is running for: ${names}\n\nIt answers ADK's requests. For ADK's web UI, start it with --adk-web FOLDER, the folder of its built files:\nnode_modules/@google/adk-devtools/dist/browser\n`,
    ),
  );
}
