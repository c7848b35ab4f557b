import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';

/**
 * Finds a file or folder of the project by the path that a client gave.
 *
 * @param root The project's folder, without links.
 * @param path Relative to it, with forward slashes. May not lead out of the project, also not through a link.
 * @returns its absolute path, without links.
 * @throws CriteriaError USAGE for a path of another form, or one that leads outside; FILE_NOT_FOUND.
 */
export async function pathInside(root: string, path: string): Promise<string> {
  const why = mistakeIn(path);
  if (why !== null) {
    const message = `${why}: name a file or folder of the project, relative to it, with forward slashes, such as "evals/home.evalset.json"`;
    throw new CriteriaError({ code: 'USAGE', file: path, message });
  }
  const found = await realpath(join(root, path)).catch((cause: unknown) => {
    const message = 'there is no such file or folder in the project; list_eval_sets lists the eval sets and agents';
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file: path, message }, { cause });
  });
  if (isBelow(root, found)) return found;
  throw new CriteriaError({ code: 'USAGE', file: path, message: 'this is a link that leads out of the project' });
}

/** Whether an existing path, after resolving links, is a folder itself or inside it. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  try {
    return isBelow(await realpath(folder), await realpath(path));
  } catch {
    return false;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Names a path for a client: relative to the project, with forward slashes. */
export function nameInside(root: string, path: string): string {
  return relative(root, path).split(sep).join('/') || '.';
}

/** Says what is wrong with the form of a path, on every platform alike. */
function mistakeIn(path: string): string | null {
  if (path === '' || path.length > 1000) return 'this is no path';
  if (path.includes('\0')) return 'a path has no NUL character';
  if (path.startsWith('/') || path.startsWith('~')) return 'only relative paths are read';
  if (path.includes('\\')) return 'a path has no backslash here';
  // Drives and streams of Windows, URLs, and cases after a colon.
  if (path.includes(':')) return 'a path has no colon here';
  const parts = path.split('/');
  // Windows drops dots and blanks at the end of a name.
  if (parts.some((part) => /^\.\.[. ]*$/.test(part))) return 'a path must not lead upwards';
  if (parts.some((part) => part.startsWith('.') && part !== '.')) return 'hidden files and folders are not read';
  return parts.includes('node_modules') ? 'node_modules is not read' : null;
}
