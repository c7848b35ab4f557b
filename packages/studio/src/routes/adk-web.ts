import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Hono } from 'hono';
import type { AdkWeb } from '../adk-web/load-adk-web.ts';
import { isInside } from '../security/inside-folder.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** ADK's web UI below `/dev-ui/`, from the folder that the user named. */
export function adkWebRoutes({ folder, page, policy }: AdkWeb): Hono {
  return (
    new Hono()
      .get('/dev-ui', (c) => c.redirect('/dev-ui/', 302))
      // Whatever the folder says, it talks to this server.
      .get('/dev-ui/assets/config/runtime-config.json', (c) => c.json({ backendUrl: '' }))
      .on('GET', ['/dev-ui/', '/dev-ui/index.html'], (c) => {
        c.header('Content-Security-Policy', policy);
        return c.html(page);
      })
      .get('/dev-ui/*', async (c) => {
        const file = join(folder, c.req.path.slice('/dev-ui/'.length));
        const isFile = (await isInside(folder, file)) && (await stat(file)).isFile();
        if (!isFile) return c.notFound();
        c.header('Content-Security-Policy', policy);
        return c.body(new Uint8Array(await readFile(file)), 200, {
          'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
        });
      })
  );
}
