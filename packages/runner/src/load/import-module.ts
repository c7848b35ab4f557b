import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';

const TYPESCRIPT = new Set(['.ts', '.mts', '.cts', '.tsx']);

/** Imports a module file, TypeScript included on every supported Node. What it throws is the module's own error. */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  const absolute = resolve(file);
  if (!TYPESCRIPT.has(extname(absolute))) return import(pathToFileURL(absolute).href);
  return jitiFor(absolute).import(absolute);
}

/** Imports a package (or a relative path) as a module of `from` would. */
export async function importFrom(specifier: string, from: string): Promise<Record<string, unknown>> {
  const url = jitiFor(from).esmResolve(specifier);
  const file = url.startsWith('file:') ? new URL(url) : undefined;
  if (file !== undefined && TYPESCRIPT.has(extname(file.pathname))) return jitiFor(from).import(url);
  return import(url);
}

function jitiFor(from: string) {
  // No cache on disk: an eval run leaves nothing behind in somebody's project. Errors keep the lines of the source.
  return createJiti(from, { fsCache: false, interopDefault: false, sourceMaps: true });
}
