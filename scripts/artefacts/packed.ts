import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { importsOf } from '../../test/source.ts';

/** A package as npm installed it. */
export interface Packed {
  readonly name: string;
  readonly folder: string;
  readonly manifest: {
    readonly exports: Readonly<Record<string, unknown>>;
    readonly bin?: Readonly<Record<string, string>>;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
    readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  };
}

export function readPacked(nodeModules: string, name: string): Packed {
  const folder = join(nodeModules, name);
  return { name, folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
}

/** Returns the import specifiers of all entries: `@scope/name`, `@scope/name/entry`. JSON files are not entries. */
export function entriesOf({ name, manifest }: Packed): string[] {
  return Object.entries(manifest.exports)
    .filter(([, target]) => typeof target !== 'string')
    .map(([entry]) => name + entry.slice(1));
}

/** Lists the files that TypeScript reads for the entries. */
export function declarationsOf({ folder, manifest }: Packed): string[] {
  return Object.values(manifest.exports).flatMap((target) => {
    const types = typeof target === 'object' && target !== null && 'types' in target ? target.types : null;
    return typeof types === 'string' ? [join(folder, types)] : [];
  });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
}

/** Lists the optional peers, which npm does not install. */
export function optionalPeers({ manifest }: Packed): string[] {
  const meta = Object.entries(manifest.peerDependenciesMeta ?? {});
  return meta.filter(([, { optional }]) => optional === true).map(([name]) => name);
}

/** Lists the entries whose file imports an optional peer. */
export function entriesOnPeers(packed: Packed): string[] {
  const peers = optionalPeers(packed);
  return entriesOf(packed).filter((entry) => {
    const target = packed.manifest.exports[`.${entry.slice(packed.name.length)}`] as { readonly default: string };
    const path = join(packed.folder, target.default);
    return importsOf({ path, text: readFileSync(path, 'utf8') }).some(({ specifier }) => peers.includes(specifier));
  });
}

/** Lists files that should not have been published, and traces of the workspace. */
export function leftovers({ folder, manifest }: Packed, licence: string): string[] {
  const files = filesOf(folder);
  const text = JSON.stringify(manifest);
  return [
    ...files.filter((file) => /(^|\/)(src|__fixtures__|node_modules)\//.test(file) && !file.startsWith('template/')),
    ...['README.md', 'LICENSE'].filter((file) => !files.includes(file)).map((file) => `there is no ${file}`),
    ...(readFileSync(join(folder, 'LICENSE'), 'utf8') === licence ? [] : ['LICENSE is not that of the project']),
    ...['workspace:', 'catalog:', '@agent-criteria/source']
      .filter((trace) => text.includes(trace))
      .map((trace) => `package.json says ${trace}: is publishConfig complete?`),
  ];
}

/**
 * Lists imports in built files and declarations that an installed package cannot resolve, including zod and natural.
 */
export function unresolvable({ name, folder, manifest }: Packed): string[] {
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
  return filesOf(join(folder, 'dist')).flatMap((file) => {
    if (!/\.(js|d\.ts)$/.test(file)) return [];
    const path = join(folder, 'dist', file);
    const found = importsOf({ path: file, text: readFileSync(path, 'utf8') });
    return found.flatMap(({ specifier }) => {
      if (isBuiltin(specifier)) return [];
      if (specifier.startsWith('.')) {
        const target = resolve(dirname(path), specifier);
        return existsSync(file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target)
          ? []
          : [`dist/${file} imports ${specifier}: no such file`];
      }
      const known = [name, ...Object.keys(declared)];
      return known.some((target) => specifier === target || specifier.startsWith(`${target}/`))
        ? []
        : [`dist/${file} imports ${specifier}: neither compiled in nor declared`];
    });
  });
}

/** Lists the packages whose code was compiled in, according to the comments that esbuild leaves above each file. */
export function compiledIn({ folder }: Packed): string[] {
  const names = filesOf(join(folder, 'dist'))
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [
      ...readFileSync(join(folder, 'dist', file), 'utf8').matchAll(/^\s*\/\/ (\S*node_modules\/\S+)$/gm),
    ])
    .map(([, path]) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path ?? '')?.[1] ?? '');
  return [...new Set(names)].sort();
}

/** Lists the compiled-in packages whose licence is missing. */
export function unlicensed(packed: Packed): string[] {
  const file = join(packed.folder, 'dist', 'THIRD_PARTY_LICENSES.txt');
  const notices = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return compiledIn(packed).filter((name) => !notices.split('\n').some((line) => line.startsWith(`${name} `)));
}

/** Returns the packages and everything that npm installs with them. */
export function closureOf(nodeModules: string, names: readonly string[]): Set<string> {
  const closure = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (closure.has(name)) continue;
    closure.add(name);
    const packed = readPacked(nodeModules, name);
    const optional = optionalPeers(packed);
    const { dependencies, peerDependencies } = packed.manifest;
    waiting.push(...Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !optional.includes(each)));
  }
  return closure;
}

/** Returns the total size of a folder's files in bytes. */
export function sizeOf(folder: string): number {
  return filesOf(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
