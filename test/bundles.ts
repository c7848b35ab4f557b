import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { emojiLater } from '../packages/report/emoji-later.ts';
import { leaveOut } from './bundled.ts';
import { whenSourcesChanged, writeIfNew } from './compiled.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = '@agent-criteria/source';
const cache = join(root, 'node_modules/.cache/tests/packages');
/** A path like an installed package's, so that our stack frames can be told from those of users. */
const folder = join(cache, 'node_modules/@agent-criteria');

/** Lists the sources of all entries and commands of the packages, by the names of their compiled files. */
function entries(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, 'packages'))) {
    const file = join(root, 'packages', name, 'package.json');
    if (!existsSync(file)) continue;
    const { exports = {} } = JSON.parse(readFileSync(file, 'utf8'));
    const targets = Object.values<unknown>(exports).map((target) => Object(target)[source]);
    for (const target of [...targets, './src/bin.ts']) {
      const path = join(root, 'packages', name, String(target));
      if (/\.ts$/.test(path) && existsSync(path)) found[`${name}/${target.slice('./src/'.length, -3)}`] = path;
    }
  }
  return found;
}

/**
 * Compiles all our packages together, similar to the published form, and returns the flags that make a Node process
 * load these instead of the sources, which takes half the time.
 */
export async function bundles(): Promise<readonly string[]> {
  const hook = join(cache, 'use-bundles.mjs');
  await whenSourcesChanged(join(cache, 'stamp'), () => compile(hook));
  return [`--import=${pathToFileURL(hook).href}`];
}

async function compile(hook: string): Promise<void> {
  const all = entries();
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: all,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    conditions: [source],
    external: ['vitest', 'vitest/*', 'vite', 'esbuild', '*.tsx'],
    logLevel: 'silent',
    plugins: [leaveOut, emojiLater],
  });
  for (const { path, text } of outputFiles) writeIfNew(path, text);
  const map = Object.entries(all).map(([name, path]) => [
    pathToFileURL(path).href,
    pathToFileURL(join(folder, `${name}.mjs`)).href,
  ]);
  writeIfNew(
    hook,
    `import { registerHooks } from 'node:module';
const bundles = new Map(${JSON.stringify(map)});
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = bundles.get(found.url);
    return url === undefined ? found : { url, format: 'module', shortCircuit: true };
  },
});
`,
  );
}
