import { stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { isUrl } from '@agent-criteria/runner';

/** Returns whether a path leads to a file or a folder, or `null` if nothing is there or it cannot be accessed. */
export async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

/** Whether anything exists at a path. */
export async function pathExists(path: string): Promise<boolean> {
  return (await kindOf(path)) !== null;
}

/**
 * Returns the folder of an agent: its own or that of its module, which may not exist yet, or the working folder for a
 * URL.
 */
export async function folderOf(agent: string): Promise<string> {
  if (isUrl(agent)) return '.';
  const kind = await kindOf(agent);
  return kind === 'folder' || (kind === null && extname(agent) === '') ? agent : dirname(agent);
}
