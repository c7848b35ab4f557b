import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * Compiles the web app: its files by name. The published package has them in a folder, and reads that in place of this module, which
 * only sources need.
 *
 * @param plugins Are asked as for any build of a package.
 */
export async function bundleApp(plugins: readonly Plugin[] = []): Promise<ReadonlyMap<string, Uint8Array>> {
  // Of its own: a command may have another working folder than the one in which the compiler was loaded.
  const folder = fileURLToPath(new URL('./app/', import.meta.url));
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['main.tsx', 'main.css'].map((file) => join(folder, file)),
    outdir: 'dist/app',
    write: false,
    bundle: true,
    metafile: true,
    minify: true,
    format: 'esm',
    // What a view imports when it is opened becomes a file of its own.
    splitting: true,
    chunkNames: '[name]-[hash]',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    conditions: ['@agent-criteria/source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [...plugins],
  });
  return new Map(outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1) ?? path, contents]));
}
