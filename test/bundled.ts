import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { emojiLater } from '../packages/report/emoji-later.ts';
import { whenSourcesChanged, writeIfNew } from './compiled.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** As where we are installed, so that frames of ours are told from those of users. */
const folder = join(root, 'node_modules/.cache/tests/node_modules/@agent-criteria');

/**
 * Compiles a script of ours, with all that it imports, much as we publish it, and gives the path of the result: Node loads
 * that in half of the time which the many sources take. For processes whose agents import nothing of ours.
 */
export async function bundled(script: string): Promise<string> {
  const compiled = join(folder, basename(script).replace(/\.ts$/, '.mjs'));
  await whenSourcesChanged(`${compiled}.stamp`, () => compile(script));
  return compiled;
}

async function compile(script: string): Promise<void> {
  const { outputFiles } = await build({
    // A worker is where the tests before left it, and that folder may be gone.
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

/** What looks for files beside itself when it runs is loaded from where it is. */
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
