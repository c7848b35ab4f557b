import { readFile, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { installLine, knownCriteria, knownSimulators, knownToolSimulators } from '@agent-criteria/runner';
import { resolveFrom } from '../files/import-module.ts';

const SCOPE = '@agent-criteria/';
const PACKAGES = [
  ...[
    'cli',
    'project',
    'runner',
    'report',
    'viewer',
    'core',
    'models',
    'judge',
    'model-gemini',
    'agent-a2a',
    'agent-adk',
    'agent-ai-sdk',
    'agent-http',
  ],
  ...['vertex-evaluation', 'vitest', 'studio', 'mcp'],
].map((name) => SCOPE + name);

/** One of our packages, as resolved from a folder. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** Finds our packages as modules in these folders would import them, each in the first folder that has it. */
export async function installedPackages(folders: readonly string[]): Promise<InstalledPackage[]> {
  const brought = [
    ...knownCriteria.map((known) => known.package),
    ...knownSimulators.values(),
    ...knownToolSimulators.values(),
  ];
  const found: InstalledPackage[] = [];
  for (const name of new Set([...PACKAGES, ...brought])) {
    for (const folder of new Set(folders.map((one) => resolve(one)))) {
      const installed = await findPackage(name, folder);
      if (installed === null) continue;
      found.push(installed);
      break;
    }
  }
  return found;
}

async function findPackage(name: string, from: string): Promise<InstalledPackage | null> {
  const url = await resolveFrom(`${name}/package.json`, from);
  if (url === undefined) return null;
  try {
    const file = await realpath(fileURLToPath(url));
    const { version } = JSON.parse(await readFile(file, 'utf8'));
    return { name, version: String(version), folder: dirname(file) };
  } catch {
    return null;
  }
}

/** Warns of several copies of core, which share one registry. @throws CriteriaError if their versions differ. */
export async function copiesOfCore(packages: readonly InstalledPackage[]): Promise<Problem[]> {
  const copies = new Map<string, InstalledPackage>();
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [here, ...packages.map((installed) => installed.folder)]) {
    const core = await findPackage(`${SCOPE}core`, folder);
    if (core !== null) copies.set(core.folder, core);
  }
  if (copies.size < 2) return [];
  const list = [...copies.values()].map(({ version, folder }) => `${version} in ${folder}`).join('; ');
  const versions = new Set([...copies.values()].map(({ version }) => version));
  const message = `there are ${copies.size} copies of ${SCOPE}core: ${list}`;
  if (versions.size === 1) return [{ code: 'DUPLICATE_PLUGIN', message }];
  const advice = `install one version that satisfies all: ${installLine(`${SCOPE}core`)}`;
  throw new CriteriaError({ code: 'DUPLICATE_PLUGIN', message: `${message}; ${advice}` });
}
