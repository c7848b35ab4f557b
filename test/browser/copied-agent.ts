import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Copies an example without its tests. Its packages still resolve from their original location. */
export function copyAgent(from: string, to: string, without = /\.evalset\.json$|test_config\.json$/): void {
  if (!existsSync(from)) return;
  cpSync(from, to, {
    recursive: true,
    filter: (file) => {
      const name = file.slice(from.length);
      return !/node_modules|\.test\.ts$/.test(name) && !without.test(name);
    },
  });
  const packages = join(from, 'node_modules');
  if (existsSync(packages)) symlinkSync(packages, join(to, 'node_modules'), 'junction');
}

/** Matches nothing, to copy everything. */
export const NOTHING = /(?!)/;
