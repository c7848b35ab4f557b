import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { getMimeType } from 'hono/utils/mime';
import { refusal } from '../http/refusal.ts';
import { OURS } from '../security/guard.ts';

/** Shared by all studios in this process. */
let files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/** Serves the page and its files. Files are looked up by name, so a request never becomes part of a path. */
export function appRoutes(): Hono {
  return new Hono()
    .get('/', (c) => {
      c.header('Content-Security-Policy', POLICY);
      return c.html(appPage);
    })
    .use('/app/*', compress())
    .get('/app/:file', async (c) => {
      files ??= import('../bundle-app.ts').then(({ bundleApp }) => bundleApp());
      const name = c.req.param('file');
      const content = (await files).get(name);
      if (content === undefined) throw refusal(404, `The app has no file "${name}".`);
      c.header('Content-Type', getMimeType(name) ?? 'application/octet-stream');
      return c.body(new Uint8Array(content));
    });
}

/** Draws the frame of the app until its own style is there. */
const STYLE = `:root { color-scheme: light dark; background: light-dark(#ffffff, #16181d); color: light-dark(#1b1f27, #e7eaf0); font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; }
.boot-bar { height: 44px; padding: 0 20px; border-bottom: 1px solid light-dark(#dde1e7, #323742); background: light-dark(#f6f7f9, #1d2027); font-weight: 650; line-height: 44px; }
.boot-note { margin: 22px 24px; color: light-dark(#565f6e, #a3adbd); }
`;

/** Allows the inline style above, besides the app's own files. */
const POLICY = OURS.map((rule) =>
  rule.startsWith('style-src') ? `${rule} 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'` : rule,
).join('; ');

/**
 * The app's page, which uses only its own files and one inline style, as its policy requires. On a slow network, its frame
 * is drawn before they arrive: a style sheet in the body holds up only what follows it.
 */
export const appPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Agent Criteria studio</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<script type="module" src="/app/main.js"></script>
</head>
<body>
<div id="app"><div class="boot-bar">Agent Criteria</div><p class="boot-note" role="status">Loading the studio…</p><noscript><p>The studio is a program in this page: it needs JavaScript, and nothing from the network.</p></noscript></div>
<link rel="stylesheet" href="/app/main.css">
</body>
</html>
`;
