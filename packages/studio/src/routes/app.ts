import { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { refusal } from '../http/refusal.ts';

/** Shared by all studios in this process. */
let files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/** Serves the page and its files. Files are looked up by name, so a request never becomes part of a path. */
export function appRoutes(): Hono {
  return new Hono()
    .get('/', (c) => c.html(appPage))
    .get('/app/:file', async (c) => {
      files ??= import('../bundle-app.ts').then(({ bundleApp }) => bundleApp());
      const name = c.req.param('file');
      const content = (await files).get(name);
      if (content === undefined) throw refusal(404, `The app has no file "${name}".`);
      c.header('Content-Type', getMimeType(name) ?? 'application/octet-stream');
      return c.body(new Uint8Array(content));
    });
}

/** The app's page, which uses only its own files, as its policy requires. */
export const appPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Agent Criteria studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app/main.css">
<script type="module" src="/app/main.js"></script>
</head>
<body>
<div id="app"><noscript><p>The studio is a program in this page: it needs JavaScript, and nothing from the network.</p></noscript></div>
</body>
</html>
`;
