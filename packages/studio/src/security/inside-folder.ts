import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether a file or folder that is there lies in a folder, or is it, once every link on the way is followed. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  try {
    const way = relative(await realpath(folder), await realpath(path));
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  } catch {
    return false;
  }
}
