import { stat } from 'node:fs/promises';

/** Whether there is anything at a path. */
export async function pathExists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
