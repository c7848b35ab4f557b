import { access } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { folderOf } from './path-kind.ts';

/**
 * Returns the folder whose files count as the agent's code: the working folder if the agent is inside, else the nearest folder with a
 * package.json, else the agent's own.
 */
export async function rootOf(agent: string): Promise<string> {
  const own = resolve(await folderOf(agent));
  const workingFolder = resolve('.');
  if (!relative(workingFolder, own).startsWith('..')) return workingFolder;
  for (let folder = own; ; folder = dirname(folder)) {
    const isPackage = await access(join(folder, 'package.json')).then(
      () => true,
      () => false,
    );
    if (isPackage) return folder;
    if (dirname(folder) === folder) return own;
  }
}
