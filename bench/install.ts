/** Measures the installed size and the import time of our packages, from packed tarballs, in fresh processes. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.ts';
import { ratios, rounds, spread } from './measure.ts';
import { smallest } from './smallest.ts';
import { printTable } from './table.ts';
import { workFolder } from './work-folder.ts';
import { pnpm, root } from './workspace.ts';

const work = workFolder();

/** Packs one of our packages and returns the tarball. */
async function pack(name: string): Promise<string> {
  const folder = join(work, `${name}-tarball`);
  await pnpm('--dir', join(root, 'packages', name), 'pack', '--pack-destination', folder);
  return join(folder, readdirSync(folder)[0]!);
}

/** Installs packages of ours in an empty folder, as a user would, and returns the folder. */
async function install(names: readonly string[]): Promise<string> {
  const folder = join(work, names.join('+'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, ...names.map((name) => tarballs.get(name)!)], folder);
  return folder;
}

/** Lists all files in a folder, recursively. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function sizeOf(folder: string): { megabytes: number; packages: number } {
  const files = filesOf(join(folder, 'node_modules'));
  return {
    megabytes: files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6,
    packages: files.filter((file) => /node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+[\\/]package\.json$/.test(file)).length,
  };
}

const tarballs = new Map<string, string>();
const packed = smallest ? ['core'] : ['core', 'runner', 'criteria-rouge', 'criteria-trajectory'];
for (const name of packed) tarballs.set(name, await pack(name));

/** Runs a module with this source in a fresh process and returns its output. */
const fresh = (text: string, folder: string) => run(process.execPath, ['--input-type=module', '-e', text], folder);

/** The packages that are installed in addition to core. */
const installations: Readonly<Record<string, readonly string[]>> = {
  core: [],
  ...(!smallest && {
    runner: ['runner'],
    "runner and ADK's default criteria": ['runner', 'criteria-rouge', 'criteria-trajectory'],
  }),
};

const passes: Record<string, () => Promise<unknown>> = { 'empty process': () => fresh('', work) };
const sizes: Record<string, { readonly megabytes: number; readonly packages: number }> = {};
const imports: Record<string, number[]> = {};
for (const [name, others] of Object.entries(installations)) {
  const folder = await install(['core', ...others]);
  sizes[name] = sizeOf(folder);
  const imported: number[] = [];
  imports[name] = imported;
  const statements = (others.length > 0 ? others : ['core']).map((each) => `await import('@agent-criteria/${each}');`);
  const script = `const start = performance.now(); ${statements.join(' ')} console.log(performance.now() - start);`;
  passes[name] = async () => imported.push(Number(await fresh(script, folder)));
}

const warmUp = smallest ? 0 : 2;
const times = await rounds(passes, { atLeast: 0, counted: 21, warmUp });
const rows = Object.entries(times).map(([name, list]) => [
  name,
  sizes[name]?.megabytes.toFixed(2) ?? '',
  String(sizes[name]?.packages ?? ''),
  imports[name] === undefined ? '' : spread(imports[name].slice(warmUp), ''),
  spread(list, ''),
  spread(ratios(list, times['empty process']!)),
]);
printTable(
  'Install and cold import (aim: core and runner 5 MB, 60 ms)',
  ['', 'MB', 'packages', 'import, ms', 'whole process, ms', 'times an empty one'],
  rows,
);
