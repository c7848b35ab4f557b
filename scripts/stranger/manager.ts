import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm, type Tarball, withNeeds } from '../artefacts/pack.ts';

/** The operations of a package manager that a new user needs. */
export interface Manager {
  readonly name: string;
  /** Returns extra files for a project, so that our packages come from the tarballs. */
  files(tarballs: readonly Tarball[]): Readonly<Record<string, string>>;
  /** Returns the command that adds packages: ours by name, others by their registry specifier. */
  install(tarballs: readonly Tarball[], ours: readonly string[], others: readonly string[]): readonly string[];
  /** The prefix for running a command of an installed package. */
  readonly exec: readonly string[];
  /** Lists the names of all installed packages. */
  installed(folder: string): readonly string[];
}

const npm: Manager = {
  name: 'npm',
  files: () => ({}),
  // Our packages need each other, so npm gets all of them at once and requests none from the registry.
  install: (tarballs, ours, others) => [
    ...['npm', 'install', '--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    ...withNeeds(tarballs, ours).map(({ file }) => file),
    ...others,
  ],
  exec: ['npx', '--no-install'],
  installed(folder) {
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const names = Object.keys(packages).map((path) => /.*node_modules\/(.+)$/.exec(path)?.[1]);
    return [...new Set(names.filter((name) => name !== undefined))].sort();
  },
};

const viaPnpm: Manager = {
  name: 'pnpm',
  files(tarballs) {
    const overrides = Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`]));
    // JSON is YAML.
    return { 'pnpm-workspace.yaml': JSON.stringify({ overrides }, null, 2) };
  },
  install: (tarballs, ours, others) => [
    ...['npx', ...pnpm, 'add', '--save-dev', '--ignore-scripts', '--prefer-offline'],
    ...ours.map((name) => tarballs.find((one) => one.name === name)?.file ?? name),
    ...others,
  ],
  exec: ['npx', ...pnpm, 'exec'],
  installed(folder) {
    const store = join(folder, 'node_modules', '.pnpm');
    const names = readdirSync(store).flatMap((place) => {
      const inside = join(store, place, 'node_modules');
      if (place === 'node_modules' || !existsSync(inside)) return [];
      // Links point to packages that are listed elsewhere.
      return readdirSync(inside, { withFileTypes: true }).flatMap((entry) =>
        entry.name.startsWith('@')
          ? readdirSync(join(inside, entry.name), { withFileTypes: true }).flatMap((scoped) =>
              scoped.isDirectory() ? [`${entry.name}/${scoped.name}`] : [],
            )
          : entry.isDirectory() && !entry.name.startsWith('.')
            ? [entry.name]
            : [],
      );
    });
    return [...new Set(names)].sort();
  },
};

export const managers: readonly Manager[] = [npm, viaPnpm];
