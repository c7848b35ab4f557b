import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Compiles the sources only if they have changed, because compiling occupies every core for a second. */
export async function whenSourcesChanged(stamp: string, compile: () => Promise<void>): Promise<void> {
  const now = stampOfSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  await compile();
  // The stamp is written last, so that everything else exists by then.
  writeIfNew(stamp, now);
}

/**
 * Writes a file unless it is unchanged, so that Node's compile cache for it stays valid. Other workers may be reading
 * it.
 */
export function writeIfNew(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, path);
}

let known: string | undefined;

/** Computes a stamp that changes whenever the sources or the way they are compiled change. */
function stampOfSources(): string {
  known ??= readStamp();
  return known;
}

function readStamp(): string {
  const files = readdirSync(join(root, 'packages')).flatMap((name) => {
    const sources = join('packages', name, 'src');
    if (!existsSync(join(root, sources))) return [];
    const all = readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' });
    const compiled = all.filter((file) => /\.(?:ts|json)$/.test(file) && !file.endsWith('.test.ts'));
    return [join('packages', name, 'package.json'), ...compiled.map((file) => join(sources, file))];
  });
  const all = [
    'pnpm-lock.yaml',
    'packages/report/emoji-later.ts',
    ...['bundled.ts', 'bundles.ts', 'compiled.ts'].map((file) => join('test', file)),
    ...files,
  ];
  const stamps = all.toSorted().map((file) => {
    const { mtimeMs, size } = statSync(join(root, file));
    return `${file} ${mtimeMs} ${size}`;
  });
  return createHash('sha256').update(stamps.join('\n')).digest('hex');
}
