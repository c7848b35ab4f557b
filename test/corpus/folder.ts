import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Setup } from './command.ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** Copies the files that a setup starts from, and installs the packages that it names. */
export function fill(folder: string, { copies = [], packages = [] }: Setup): void {
  mkdirSync(folder, { recursive: true });
  for (const path of copies) {
    const from = join(root, path);
    const to = join(folder, basename(path));
    copyFolder(from, to);
    link(join(from, 'node_modules'), join(to, 'node_modules'));
  }
  for (const name of packages) link(join(root, 'packages', name), join(folder, 'node_modules/@agent-criteria', name));
}

/** Copies a folder without the packages installed in it; links to packages stay links. */
export function copyFolder(from: string, to: string): void {
  const isInstalled = (path: string) => basename(path) === 'node_modules' && !lstatSync(path).isSymbolicLink();
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !(from.startsWith(root) && isInstalled(path)),
  });
}

function link(target: string, place: string): void {
  try {
    if (!lstatSync(target).isDirectory()) return;
  } catch {
    return;
  }
  mkdirSync(dirname(place), { recursive: true });
  rmSync(place, { recursive: true, force: true });
  symlinkSync(target, place);
}

/** Writes and removes files by their paths in a folder. */
export function change(folder: string, files: Setup['files'] = {}): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    if (content === null) rmSync(file, { recursive: true, force: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }
}

/** Returns a hash of each file in a folder by path, except installed packages. */
export function look(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (inside: string): void => {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      const path = join(inside, entry.name);
      if (entry.name === 'node_modules') continue;
      if (entry.isDirectory()) visit(path);
      else
        found.set(
          path,
          createHash('sha256')
            .update(readFileSync(join(folder, path)))
            .digest('hex'),
        );
    }
  };
  visit('');
  return found;
}

/** Lists the ids of all runs in a folder, in the order in which they began. */
export function runsIn(folder: string): string[] {
  const plans = [...look(folder).keys()].filter((path) => /\/\d{8}-\d{6}-\w{4}\/plan\.json$/.test(`/${path}`));
  const runs = plans.map((path) => ({
    id: basename(dirname(path)),
    begun: Number(JSON.parse(readFileSync(join(folder, path), 'utf8')).createdAt),
  }));
  return runs.sort((a, b) => a.begun - b.begun).map(({ id }) => id);
}
