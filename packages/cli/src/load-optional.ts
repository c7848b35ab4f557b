import { CriteriaError } from '@agent-criteria/core';
import { importFrom } from '@agent-criteria/project/files';
import { installLine } from '@agent-criteria/runner';

/**
 * Imports a package that a command uses without depending on it.
 *
 * @param folders Where to look for it, in this order.
 * @throws CriteriaError USAGE with the line that installs it.
 */
export async function loadOptional<Module>(
  name: string,
  { command, folders }: { readonly command: string; readonly folders: readonly string[] },
): Promise<Module> {
  for (const folder of folders) {
    try {
      return (await importFrom(name, folder)) as unknown as Module;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new CriteriaError({ code: 'USAGE', message: `agent-criteria ${command} needs ${name}: ${installLine(name)}` });
}
