import { createHash } from 'node:crypto';
import type { Context } from 'hono';

/** Whether a request is a page load of a browser, and not that of a program or of a script in a page. */
export function isPageLoad(c: Context): boolean {
  return c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html');
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'This link does not open the studio',
  403: 'The studio does not answer this page',
  404: 'There is nothing at this address',
};

const ADVICE: Readonly<Record<number, readonly string[]>> = {
  401: [
    'Look at the terminal in which <code>agent-criteria studio</code> runs, and open the link that it printed. It lets this browser in.',
    'A link is valid for 30 days, and only for the folder that it was printed for. The link that a command opens by itself works once.',
    'If the studio no longer runs, start it again.',
  ],
  403: [
    'Open the link that <code>agent-criteria studio</code> printed, by copying it into the address bar: links on other pages do not open the studio.',
    'The studio runs on this machine only, at 127.0.0.1 or localhost.',
  ],
  404: ['<a href="/">Open the studio</a>, and choose what you were looking for there.'],
};

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; color: light-dark(#1b1f27, #e7eaf0); background: light-dark(#fff, #16181d); }
body { max-width: 40rem; margin: 12vh auto; padding: 0 20px; }
h1 { font-size: 1.4rem; line-height: 1.3; }
p.brand { color: light-dark(#565f6e, #a3adbd); font-weight: 650; }
pre, code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; }
code, pre { background: light-dark(#f6f7f9, #1d2027); border-radius: 4px; padding: 1px 4px; }
pre { padding: 10px 14px; white-space: pre-wrap; overflow-wrap: anywhere; }
li { margin: 6px 0; }
a { color: light-dark(#2a50b8, #94b5ff); }
summary { cursor: pointer; color: light-dark(#565f6e, #a3adbd); }
`;

/** Even stricter than the policy of the app: the page has no scripts and no files, and one known style. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers a page load that is refused with a page that says what to do. @param detail Plain text, already masked. */
export function refusedPage(c: Context, status: number, detail: string): Response {
  const title = TITLES[status] ?? 'The studio cannot show this';
  const advice = ADVICE[status] ?? ['<a href="/">Open the studio</a>.'];
  c.header('Content-Security-Policy', POLICY);
  return c.html(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="brand">Agent Criteria studio</p>
<h1>${title}</h1>
<ul>
${advice.map((line) => `<li>${line}</li>`).join('\n')}
</ul>
<details><summary>What the studio answered (${status})</summary><pre dir="auto">${escaped(detail)}</pre></details>
</main>
</body>
</html>
`,
    status as 401,
  );
}

function escaped(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
