import type { AppCode } from './bundle-app.ts';
import { inertJson, inertText } from './inert.ts';
import { LICENCES_ID } from './page-data.ts';

/**
 * Returns the head of a self-contained page. Its policy allows only its own script and style, by hash, and no requests.
 */
export function pageHead(title: string, { script, style, licences }: AppCode): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${inertText(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript><p>This report is a small program: it needs JavaScript, and nothing from the network.</p></noscript></div>
${dataBlock(LICENCES_ID, licences)}`;
}

export const PAGE_END = '</body>\n</html>\n';

export function dataBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${inertJson(value)}</script>\n`;
}

function hashOf(text: string): string {
  // Loaded lazily, because it takes as long as loading all of core.
  return `sha256-${process.getBuiltinModule('node:crypto').hash('sha256', text, 'base64')}`;
}
