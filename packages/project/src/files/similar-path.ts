import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { closest } from '@agent-criteria/formats/schema';
import { pathExists } from './path-kind.ts';

/** The maximum number of folders to search, so that a mistake is reported quickly. */
const MOST_FOLDERS = 200;

/**
 * Suggests the path that was probably meant instead of a missing one, by correcting a typo or by finding a file with
 * the same name further down. Returns `; did you mean "agents/room"?`, to end a message, or an empty string.
 * @param fits Whether an existing path could be meant. Default: any path.
 */
export async function didYouMeanPath(
  path: string,
  fits: (path: string) => boolean | Promise<boolean> = () => true,
): Promise<string> {
  if (path === '' || path.includes('\0')) return '';
  const corrected = await withoutTypo(path);
  const near = corrected !== undefined && (await fits(corrected)) ? corrected : await elsewhere(path, fits);
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
}

async function withoutTypo(path: string): Promise<string | undefined> {
  const parts = normalize(path).split(sep);
  let at = '';
  for (const [index, part] of parts.entries()) {
    const next = index === 0 ? part || sep : join(at, part);
    if (part === '.' || part === '..' || (await pathExists(next))) {
      at = next;
      continue;
    }
    const folder = at === '' ? '.' : at;
    const names = await readdir(folder).catch(() => []);
    const meant = meantOf(part, names);
    if (meant === undefined) return undefined;
    at = at === '' ? meant : join(at, meant);
  }
  return (await pathExists(at)) ? at : undefined;
}

/** Finds the name that was probably meant. A shared ending does not count: none.json is not a typo for good.json. */
function meantOf(part: string, names: readonly string[]): string | undefined {
  const { stem, ending } = split(part);
  const alike = names.filter((name) => split(name).ending === ending);
  const close = closest(
    stem,
    alike.map((name) => split(name).stem),
  );
  if (close !== undefined) return close + ending;
  const others = names.filter((name) => !alike.includes(name));
  return closest(part, others) ?? others.find((name) => stem.length > 2 && split(name).stem === stem);
}

function split(name: string): { readonly stem: string; readonly ending: string } {
  const ending = /(?<!^)\.[a-z.]+$/i.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - ending.length), ending };
}

/** Finds a file or folder with the same name, below the deepest folder of the path that exists. */
async function elsewhere(
  path: string,
  fits: (path: string) => boolean | Promise<boolean>,
): Promise<string | undefined> {
  let base = dirname(normalize(path));
  // The folders above an absolute path do not belong to the project.
  while (!isAbsolute(base) && base !== '.' && !(await pathExists(base))) base = dirname(base);
  const name = basename(path);
  const waiting = [base];
  for (let seen = 0; seen < MOST_FOLDERS; seen++) {
    const folder = waiting.shift();
    if (folder === undefined) return undefined;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const found = join(folder, entry.name);
      if (entry.name === name && (await fits(found))) return found;
      if (entry.isDirectory()) waiting.push(found);
    }
  }
  return undefined;
}
