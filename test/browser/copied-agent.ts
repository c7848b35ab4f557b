import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A copy of an example without its tests; its packages are where they were. */
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

/** For a copy with everything. */
export const NOTHING = /(?!)/;
