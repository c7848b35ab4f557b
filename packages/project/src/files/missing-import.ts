import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Matches the messages of Node and jiti for a missing import: the specifier and the importing file. */
const REQUIRED = /^Cannot find module '([^']+)'\s+Require stack:\s+- (\S.*)/;
const IMPORTED = /^Cannot find (?:module|package) '([^']+)' imported from ('?)(.+?)\2$/m;

/** Explains a missing import: the importing file, the specifier and a remedy. Returns `null` for other errors. */
export function missingImport(error: Error): string | null {
  const { code } = error as { readonly code?: unknown };
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return null;
  const [, required, requirer] = REQUIRED.exec(error.message) ?? [];
  const [, imported, , importer] = IMPORTED.exec(error.message) ?? [];
  const what = required ?? imported;
  const who = requirer ?? importer;
  if (what === undefined || who === undefined) return null;
  return `${shownFile(who.trim())} imports ${JSON.stringify(shownFile(what))}, which is not there: ${advice(what)}`;
}

function advice(what: string): string {
  if (/^(?:\.{0,2}[\\/]|[A-Za-z]:[\\/]|file:)/.test(what)) return 'create the file, or fix the path';
  if (/^(?:@|~|#)?[\\/]|^#/.test(what))
    return 'check "paths" of the tsconfig.json nearest to it, and the file that they lead to';
  const [first = '', second] = what.split('/');
  const name = first.startsWith('@') && second !== undefined ? `${first}/${second}` : first;
  return `npm install ${name} (or, if it is an alias, check "paths" of tsconfig.json)`;
}

function shownFile(path: string): string {
  const file = path.startsWith('file:') ? fileURLToPath(path) : path;
  const inside = relative('.', file);
  return /^(?:[\\/]|[A-Za-z]:)/.test(file) && !inside.startsWith('..') ? inside : file;
}
