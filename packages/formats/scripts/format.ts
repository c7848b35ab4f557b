import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** Formats the text of a file with the linter. @param file Its path from the repository root. */
export function formatted(file: string, text: string): string {
  const biome = fileURLToPath(new URL('node_modules/.bin/biome', root));
  return execFileSync(biome, ['format', '--stdin-file-path', file], {
    input: text,
    encoding: 'utf8',
    cwd: fileURLToPath(root),
  });
}
