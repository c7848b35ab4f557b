import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { emojiLater } from '../packages/report/emoji-later.ts';
import { whenSourcesChanged, writeIfNew } from './compiled.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** A path like an installed package's, so that our stack frames can be told from those of users. */
const folder = join(root, 'node_modules/.cache/tests/node_modules/@agent-criteria');

/**
 * Compiles one of our scripts with everything that it imports, similar to the published form, and returns the path of
 * the result, which Node loads in half the time that the many sources take. Used for processes whose agents import none
 * of our packages.
 */
export async function bundled(script: string): Promise<string> {
  const compiled = join(folder, basename(script).replace(/\.ts$/, '.mjs'));
  await whenSourcesChanged(`${compiled}.stamp`, () => compile(script));
  return compiled;
}

async function compile(script: string): Promise<void> {
  const { outputFiles } = await build({
    // A worker may still be in the folder of an earlier test, which may have been deleted.
    absWorkingDir: root,
    entryPoints: [script],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    conditions: ['@agent-criteria/source'],
    logLevel: 'silent',
    plugins: [leaveOut, emojiLater],
  });
  for (const { path, text } of outputFiles) writeIfNew(path, text);
}

/**
 * Excludes modules that look for files next to themselves at run time; they are loaded from their original location.
 */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(?:jiti|re2js|@google.*|google-auth.*)$|\/bundle-app\.ts$/ }, async (asked) => {
      const { kind, importer, resolveDir, pluginData } = asked;
      if (pluginData === leaveOut) return undefined;
      const { path, errors } = await resolve(asked.path, { kind, importer, resolveDir, pluginData: leaveOut });
      return { path: errors.length > 0 ? asked.path : path, external: true };
    });
  },
};
