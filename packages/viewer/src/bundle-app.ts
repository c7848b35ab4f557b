import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** The compiled web app. */
export interface AppCode {
  readonly script: string;
  readonly style: string;
  /** The licences of bundled packages. */
  readonly licences: string;
}

export type AppPage = 'run' | 'comparison';

const ENTRIES: Readonly<Record<AppPage, readonly string[]>> = {
  run: ['main.tsx', 'style.css'],
  comparison: ['compared-main.tsx', 'compared-page.css'],
};

/**
 * Compiles the web app for a page. In the published package, this module is replaced by its result.
 *
 * @param plugins Plugins used to build the package.
 */
export async function bundleApp(page: AppPage, plugins: Plugin[] = []): Promise<AppCode> {
  // Given explicitly, because esbuild keeps the working directory in which it was loaded.
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ENTRIES[page].map((file) => join(folder, 'app', file)),
    outdir: 'dist',
    write: false,
    bundle: true,
    metafile: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    conditions: ['@agent-criteria/source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    plugins,
  });
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? '';
  return {
    // Would begin a comment that hides the end of the script. It is only ever part of a string or a regular expression.
    script: text('.js').replaceAll('<!--', '\\x3c!--'),
    style: text('.css'),
    // Includes only modules that end up in the output.
    licences: await licences(
      Object.values(metafile.outputs).flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [folder + file] : [])),
      ),
    ),
  };
}

async function licences(files: readonly string[]): Promise<string> {
  const folders = files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is compiled in, but has no licence file.`);
    return `${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
  });
  return (await Promise.all(texts)).join('\n\n\n');
}
