import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const pnpm = ['-y', 'pnpm@12.21.0'];
const ours = /^(?:@agent-criteria\/|agent-criteria$)/;

/** A package of ours as a file, which npm and pnpm install in place of what a registry has. */
export interface Tarball {
  readonly name: string;
  readonly file: string;
  /** The packages of ours that it cannot do without. */
  readonly needs: readonly string[];
}

/** Packs every package as it is built, into a folder that is there. */
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

/** These packages and all of ours that they need, by the names of their folders or by their own. */
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
