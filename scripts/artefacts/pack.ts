import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const pnpm = ['-y', 'pnpm@12.21.0'];
const ours = /^(?:@agent-criteria\/|agent-criteria$)/;

/** A packed package, which npm and pnpm install instead of the one in a registry. */
export interface Tarball {
  readonly name: string;
  readonly file: string;
  /** The packages of this repository that it depends on. */
  readonly needs: readonly string[];
}

/** Packs every built package into an existing folder. */
export async function packAll(folder: string): Promise<readonly Tarball[]> {
  await run('npx', [...pnpm, '-r', '--filter', './packages/*', 'pack', '--pack-destination', folder], { cwd: root });
  return readdirSync(join(root, 'packages')).map((name) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = manifest;
    const needs = Object.keys({ ...dependencies, ...peerDependencies });
    return {
      name: manifest.name,
      file: join(folder, `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`),
      needs: needs.filter((need) => ours.test(need) && peerDependenciesMeta[need]?.optional !== true),
    };
  });
}

/** Returns these packages, given by folder or package name, with all packages of this repository that they need. */
export function withNeeds(tarballs: readonly Tarball[], names: readonly string[]): readonly Tarball[] {
  const found = new Set<Tarball>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const tarball = tarballs.find((one) => one.name === name || one.name === `@agent-criteria/${name}`);
    if (tarball === undefined) {
      throw new Error(`there is no package "${name}"; there are ${tarballs.map((one) => one.name).join(', ')}`);
    }
    if (!found.has(tarball)) waiting.push(...tarball.needs);
    found.add(tarball);
  }
  return tarballs.filter((one) => found.has(one));
}
