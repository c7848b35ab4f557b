import { isAbsolute, relative, resolve, sep } from 'node:path';

/** Whether an agent is given as a URL, which may begin with the protocol of the agent, as in `a2a+https://…`. */
export function isUrl(agent: string): boolean {
  return /^(?:a2a\+)?https?:\/\//i.test(agent);
}

/**
 * Makes a path inside the working folder relative to it, with forward slashes, so that a project can be moved. URLs are
 * unchanged.
 */
export function shownPath<Path extends string | null>(path: Path, workingFolder?: string): Path | string;
export function shownPath(path: string | null, workingFolder = '.'): string | null {
  if (path === null || isUrl(path)) return path;
  const absolute = resolve(workingFolder, path);
  const inside = relative(workingFolder, absolute);
  const shown = inside.startsWith('..') || isAbsolute(inside) ? absolute : inside || '.';
  return sep === '\\' ? shown.replaceAll('\\', '/') : shown;
}
