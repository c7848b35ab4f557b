import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Paths inside the working folder are kept relative to it, with slashes, so that a project can be moved. */
export function shownPath(path: string | null): string | null {
  if (path === null) return null;
  const inside = relative('.', resolve(path));
  const shown = inside.startsWith('..') || isAbsolute(inside) ? resolve(path) : inside || '.';
  return sep === '\\' ? shown.replaceAll('\\', '/') : shown;
}
