import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { isInside } from '../../security/inside-folder.ts';
import { withCurrentRuns, withOwnFonts } from './web-ui-repairs.ts';

/** Stylesheets that the client loads although its builds lack them. */
const ABSENT = /\/prism-(?:dark|light)\.css$/;

/** Serves ADK's web UI below `/dev-ui/`, from the folder that the user specified. */
export function adkWebRoutes({ folder, page, policy }: AdkWeb): Hono {
  return (
    new Hono()
      .get('/dev-ui', (c) => c.redirect('/dev-ui/', 302))
      // Makes the client use this server, whatever the config in the folder says.
      .get('/dev-ui/assets/config/runtime-config.json', (c) => c.json({ backendUrl: '' }))
      .on('GET', ['/dev-ui/', '/dev-ui/index.html'], (c) => {
        c.header('Content-Security-Policy', policy);
        return c.html(page);
      })
      .get('/dev-ui/*', async (c) => {
        const file = join(folder, c.req.path.slice('/dev-ui/'.length));
        const isFile = (await isInside(folder, file)) && (await stat(file)).isFile();
        if (!isFile) return ABSENT.test(c.req.path) ? c.body('', 200, { 'Content-Type': 'text/css' }) : c.notFound();
        c.header('Content-Security-Policy', policy);
        const type = getMimeType(file) ?? 'application/octet-stream';
        const body = file.endsWith('.js') ? withCurrentRuns(await readFile(file, 'utf8')) : await readFile(file);
        return c.body(typeof body === 'string' ? body : new Uint8Array(body), 200, { 'Content-Type': type });
      })
  );
}

/** A built copy of ADK's web UI. */
export interface AdkWeb {
  readonly folder: string;
  /** The UI's page with our fonts, and without links to other origins, some of which no policy blocks. */
  readonly page: string;
  /**
   * The page's content security policy, which allows everything that the client needs and nothing from other origins.
   */
  readonly policy: string;
}

/** @throws CriteriaError FILE_NOT_FOUND if the folder does not contain ADK's web UI. */
export async function loadAdkWeb(folder: string): Promise<AdkWeb> {
  const file = join(folder, 'index.html');
  let page: string;
  try {
    page = await readFile(file, 'utf8');
  } catch (cause) {
    const message = `--adk-web names the folder of ADK's built web UI, with its index.html; it is inside the package @google/adk-devtools: node_modules/@google/adk-devtools/dist/browser`;
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file, message }, { cause });
  }
  const own = withOwnFonts(page);
  return { folder: resolve(folder), page: own, policy: policyFor(own) };
}

/** Creates a policy that allows the page's inline scripts by hash. */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, code = '']) => code);
  const handlers = [...page.matchAll(/\son\w+="([^"]*)"/g)].map(([, code = '']) => code);
  const hashes = [...inline, ...handlers].map(
    (code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  const allowed = [...(handlers.length > 0 ? ["'unsafe-hashes'"] : []), ...new Set(hashes)];
  return [
    "default-src 'none'",
    // The client draws graphs using WebAssembly.
    ["script-src 'self' 'wasm-unsafe-eval'", ...allowed].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self' data:",
    "worker-src 'self' blob:",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
