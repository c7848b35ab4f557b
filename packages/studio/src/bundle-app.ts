import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * Compiles the web app. In the published package, this module is replaced with one that reads the compiled files.
 *
 * @param plugins Plugins used by the package build.
 * @returns its files by name.
 */
export async function bundleApp(plugins: readonly Plugin[] = []): Promise<ReadonlyMap<string, Uint8Array>> {
  // Set explicitly, because esbuild keeps the working directory that it was loaded with.
  const folder = fileURLToPath(new URL('./app/', import.meta.url));
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [
      ...['main.tsx', 'main.css', 'adk-web-fonts.css'],
      ...['import/import.css', 'matrix/matrix.css', 'runs/runs.css', 'trace/path-graph.css', 'turn-run/turn-run.css'],
    ].map((file) => join(folder, file)),
    outdir: 'dist/app',
    write: false,
    bundle: true,
    metafile: true,
    minify: true,
    format: 'esm',
    // Turns lazily imported views into chunks.
    splitting: true,
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
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
