import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { MODULES } from '../files/import-module.ts';
import type { Framework } from './frameworks.ts';

/** A module of a project that exports an agent. */
export interface AgentModule {
  /** The path within the folder, with slashes. */
  readonly path: string;
  /** The name of the export. */
  readonly name: string;
  /** How the project writes the end of a relative import of TypeScript: `.ts`, `.js` or nothing. */
  readonly importEnding: string;
}

/** Folders of a project without its sources, besides hidden ones. */
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'public', 'vendor']);
const DEEPEST = 6;
const MOST_FILES = 5000;
const MOST_BYTES = 500_000;

/**
 * Finds the module in a folder that exports an agent of a framework: with the best name of an export, then the least
 * deep, then the first by path. Reads the sources, and runs none. Tests are passed over.
 */
export async function findAgentModule(folder: string, framework: Framework): Promise<AgentModule | null> {
  const found: { readonly path: string; readonly name: string }[] = [];
  const endings = new Map<string, number>();
  for (const path of (await sourcesIn(folder, '', 0)).slice(0, MOST_FILES)) {
    const text = await textOf(join(folder, path));
    const ending = relativeEnding(text);
    if (ending !== null) endings.set(ending, (endings.get(ending) ?? 0) + 1);
    const name = agentExport(text, framework);
    if (name !== null) found.push({ path, name });
  }
  const rank = ({ name }: { readonly name: string }): number => {
    const place = framework.exports.indexOf(name);
    return place === -1 ? framework.exports.length : place;
  };
  const [best] = found.toSorted(
    (a, b) => rank(a) - rank(b) || depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1),
  );
  if (best === undefined) return null;
  const [most] = [...endings].toSorted(([, a], [, b]) => b - a);
  return { ...best, importEnding: most?.[0] ?? '' };
}

function depth(path: string): number {
  return path.split('/').length;
}

async function sourcesIn(root: string, below: string, level: number): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
    // A linked folder could lead in circles.
    if (entry.isDirectory()) found.push(...(level < DEEPEST ? await sourcesIn(root, path, level + 1) : []));
    else if (entry.isFile() && isSource(entry.name)) found.push(path);
    if (found.length > MOST_FILES) break;
  }
  return found;
}

function isSource(name: string): boolean {
  return MODULES.has(extname(name)) && !/\.(test|spec|d)\.[cm]?[jt]sx?$/.test(name);
}

async function textOf(file: string): Promise<string> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return size > MOST_BYTES ? '' : readFile(file, 'utf8').catch(() => '');
}

/** Returns how a module ends its first relative import, or `null` if it has none. */
function relativeEnding(text: string): string | null {
  const specifier = /\bfrom\s*['"](\.{1,2}\/[^'"\n]*)['"]/.exec(text)?.[1];
  if (specifier === undefined) return null;
  return /\.[jt]s$/.exec(specifier)?.[0] ?? '';
}

/** Returns the name of the first export by preference that is an agent of the framework, or `null`. */
export function agentExport(text: string, { dependency, classes, exports }: Framework): string | null {
  const escaped = dependency.replace(/[/\\^$*+?.()|[\]{}-]/g, '\\$&');
  if (!new RegExp(`\\bfrom\\s*['"]${escaped}['"]`).test(text)) return null;
  const made = `new\\s+(?:${classes.join('|')})\\b`;
  const names = new Set<string>();
  if (new RegExp(`^[ \\t]*export\\s+default\\s+${made}`, 'm').test(text)) names.add('default');
  const declared = new RegExp(`^[ \\t]*(export\\s+)?(?:const|let|var)\\s+(\\w+)\\s*(?::[^=\\n]+)?=\\s*${made}`, 'gm');
  for (const [, exported, local = ''] of text.matchAll(declared)) {
    if (exported !== undefined) names.add(local);
    if (new RegExp(`^[ \\t]*export\\s+default\\s+${local}\\b`, 'm').test(text)) names.add('default');
    const listed = new RegExp(
      `^[ \\t]*export\\s*\\{[^}]*?\\b${local}\\b(?:\\s+as\\s+(\\w+))?[^}]*\\}(?!\\s*from)`,
      'm',
    );
    const match = listed.exec(text);
    if (match !== null) names.add(match[1] ?? local);
  }
  return exports.find((name) => names.has(name)) ?? [...names].at(-1) ?? null;
}
