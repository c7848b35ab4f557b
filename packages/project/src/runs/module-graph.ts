import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { MODULES } from '../files/import-module.ts';

/** The largest number of modules to follow. */
const MOST = 5000;

/** Matches what a module imports by a relative path, in comments and texts as well, which only adds files. */
const IMPORTED = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;

/**
 * Lists a module and the modules below a folder that it imports by a relative path, directly or through others, without running
 * them. What an agent reads, and what it imports by the name of a package or through `paths`, is not among them.
 */
export function moduleGraph(module: string, folder: string): readonly string[] {
  const first = realPath(module);
  if (first === null) return [];
  const found = new Set([first]);
  for (const file of found) {
    if (!MODULES.has(extensionOf(file)) || found.size >= MOST) continue;
    for (const specifier of specifiersIn(file)) {
      const imported = resolveModule(resolve(dirname(file), specifier));
      if (imported !== null && isBelow(imported, folder)) found.add(imported);
    }
  }
  return [...found];
}

function specifiersIn(file: string): readonly string[] {
  try {
    return [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, , specifier = '']) => specifier);
  } catch {
    return [];
  }
}

/** Resolves a path as TypeScript and Node do: without an extension, with that of the compiled file, or of a folder. */
function resolveModule(path: string): string | null {
  const written = path.replace(/\.([cm]?)js$/, '.$1ts');
  const extensions = [...MODULES, '.json'];
  const candidates = [path, written, ...extensions.flatMap((one) => [`${path}${one}`, resolve(path, `index${one}`)])];
  for (const candidate of candidates) {
    if (statSync(candidate, { throwIfNoEntry: false })?.isFile() === true) return realPath(candidate);
  }
  return null;
}

function realPath(file: string): string | null {
  try {
    return realpathSync.native(file);
  } catch {
    return null;
  }
}

function isBelow(file: string, folder: string): boolean {
  const inside = relative(folder, file);
  return !inside.startsWith('..') && !inside.split(sep).includes('node_modules');
}

function extensionOf(file: string): string {
  return /\.[cm]?[jt]sx?$/.exec(file)?.[0] ?? '';
}
