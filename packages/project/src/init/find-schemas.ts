import { dirname, join, relative, resolve } from 'node:path';
import { pathExists } from '../files/path-kind.ts';

/** The package with the command, on which a new project depends. */
export const COMMAND = '@agent-criteria/cli';
/** The command is also published under its bare name. */
const COMMANDS = [COMMAND, 'agent-criteria'];

/** Finds the command's JSON Schemas, relative to a folder: `./node_modules/@agent-criteria/cli/schemas`. */
export async function findSchemas(folder: string): Promise<string | undefined> {
  const from = resolve(folder);
  for (let above = from; ; above = dirname(above)) {
    for (const command of COMMANDS) {
      const schemas = join(above, 'node_modules', command, 'schemas');
      if (await pathExists(schemas)) return asReference(relative(from, schemas));
    }
    if (above === dirname(above)) return undefined;
  }
}

/** The folder of the schemas once the command is installed in the folder itself. */
export const schemasHere = `./node_modules/${COMMAND}/schemas`;

function asReference(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes.startsWith('.') ? slashes : `./${slashes}`;
}
