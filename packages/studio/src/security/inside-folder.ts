import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether an existing path is a folder itself or inside it, after resolving links. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  try {
    const way = relative(await realpath(folder), await realpath(path));
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  } catch {
    return false;
  }
}
