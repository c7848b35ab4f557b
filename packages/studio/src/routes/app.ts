import { Hono } from 'hono';
import { appPage } from '../app-page.ts';
import { refusal } from '../http/refusal.ts';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** Once for all studios of this process. */
let files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/** The page and its files. A request names a file that is there; it is never part of a path. */
export function appRoutes(): Hono {
  return new Hono()
    .get('/', (c) => c.html(appPage))
    .get('/app/:file', async (c) => {
      files ??= import('../bundle-app.ts').then(({ bundleApp }) => bundleApp());
      const name = c.req.param('file');
      const content = (await files).get(name);
      if (content === undefined) throw refusal(404, `The app has no file "${name}".`);
      c.header('Content-Type', TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
      return c.body(new Uint8Array(content));
    });
}
