import { relative } from 'node:path';
import { build } from 'esbuild';
import { leaveOut } from '../bundled.ts';
import { root } from '../corpus/folder.ts';
import { publicEntries } from './declarations.ts';

/** Lists what each entry loads before anything is called: our packages, third-party packages, and Node modules. */
export async function coldImports(): Promise<string> {
  const lines: string[] = [];
  for (const { entry, source } of publicEntries()) {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [source],
      bundle: true,
      write: false,
      metafile: true,
      // A lazy import ends up in a separate file, which is not counted.
      splitting: true,
      outdir: 'none',
      platform: 'node',
      format: 'esm',
      target: 'node24',
      mainFields: ['module', 'main'],
      conditions: ['@agent-criteria/source'],
      external: ['vitest', 'vitest/*', 'vite', 'esbuild', '*.tsx'],
      logLevel: 'silent',
      plugins: [leaveOut],
    });
    lines.push(`${entry}: ${loadedWith(metafile, relative(root, source)).join(', ') || 'nothing else'}`);
  }
  return `${lines.join('\n')}\n`;
}

type Metafile = Awaited<ReturnType<typeof build<{ metafile: true }>>>['metafile'];

function loadedWith({ inputs }: Metafile, entry: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (file !== entry) found.add(packageOf(file));
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind === 'dynamic-import') continue;
      if (external === true) found.add(path);
      else waiting.push(path);
    }
  }
  found.delete(packageOf(entry));
  return [...found].sort();
}

/** Returns the package name of a file: ours by folder, others by the package manager's layout. */
function packageOf(file: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  return installed ?? file.replace(/^packages\/([^/]+)\/.*$/, '@agent-criteria/$1');
}
