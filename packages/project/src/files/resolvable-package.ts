import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

/**
 * Whether a module at `from` may find the package of an entry such as `@me/tools/pure`. Checks only a few folders,
 * whereas a failing resolution would try every extension. Returns `true` for other specifiers.
 */
export function mayResolve(specifier: string, from: string): boolean {
  const [, name] = /^((?:@[^/\\:]+\/)?[^@./\\:#][^/\\:]*)\/./.exec(specifier) ?? [];
  // Plug'n'Play has no package folders.
  if (name === undefined || process.versions.pnp !== undefined) return true;
  // Includes the folders in NODE_PATH.
  const places = createRequire(from).resolve.paths(specifier);
  return places === null || places.some((place) => existsSync(join(place, name))) || ownName(dirname(from)) === name;
}

/** Returns the name of the package that contains a folder. Modules inside it may import the package by that name. */
function ownName(folder: string): unknown {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return dirname(folder) === folder ? undefined : ownName(dirname(folder));
  try {
    return JSON.parse(readFileSync(file, 'utf8'))?.name;
  } catch {
    return undefined;
  }
}
