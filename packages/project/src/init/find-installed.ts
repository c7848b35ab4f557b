import { dirname, join, relative, resolve } from 'node:path';
import { pathExists } from '../files/path-kind.ts';

/** The package with the command, on which a new project depends. */
export const COMMAND = '@agent-criteria/cli';
/** The package that `agent-criteria studio` loads, on which a new project depends too. */
export const STUDIO = '@agent-criteria/studio';
/** The command is also published under its bare name. */
const COMMANDS = [COMMAND, 'agent-criteria'];

/** Finds the command's JSON Schemas, relative to a folder: `./node_modules/@agent-criteria/cli/schemas`. */
export async function findSchemas(folder: string): Promise<string | undefined> {
  const schemas = await findInstalled(
    folder,
    COMMANDS.map((command) => join(command, 'schemas')),
  );
  return schemas === undefined ? undefined : asReference(relative(resolve(folder), schemas));
}

/** Whether the studio is installed in a folder or above it. */
export async function isStudioInstalled(folder: string): Promise<boolean> {
  return (await findInstalled(folder, [STUDIO])) !== undefined;
}

/** The folder of the schemas once the command is installed in the folder itself. */
export const schemasHere = `./node_modules/${COMMAND}/schemas`;

/** Finds the first of these paths in the nearest `node_modules` that has one. */
async function findInstalled(folder: string, paths: readonly string[]): Promise<string | undefined> {
  for (let above = resolve(folder); ; above = dirname(above)) {
    for (const path of paths) {
      const installed = join(above, 'node_modules', path);
      if (await pathExists(installed)) return installed;
    }
    if (above === dirname(above)) return undefined;
  }
}

function asReference(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes.startsWith('.') ? slashes : `./${slashes}`;
}
