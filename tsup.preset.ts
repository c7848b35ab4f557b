import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** One build for every package: ESM and declarations. */
export function preset(entry: Record<string, string>, more: Options = {}) {
  return defineConfig({
    entry,
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    // Declarations are made against what the other packages publish, not against their sources.
    dts: { compilerOptions: { customConditions: [] } },
    clean: true,
    sourcemap: false,
    removeNodeProtocol: false,
    ...more,
    esbuildPlugins: [thirdPartyLicences, ...(more.esbuildPlugins ?? [])],
  });
}

/**
 * Puts into one file what a layer of entries and those after it share, where esbuild writes a file for every set of entries that share
 * something: to import a file takes as long as to read 15 kB of code. An entry in no layer shares with the first one.
 *
 * @param layers Source files of entries, as in `entry`, and what is imported lazily; each layer is loaded with those before it.
 */
export function inLayers(entry: Record<string, string>, ...layers: readonly (readonly string[])[]): Plugin {
  return {
    name: 'in-layers',
    setup(build) {
      const whole = (files: readonly string[]) => files.map((file) => resolve(file));
      const files = layers.map(whole);
      const all = new Set([...whole(Object.values(entry)), ...files.flat()]);
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!all.has(path)) return null;
        const own = Math.max(
          files.findIndex((layer) => layer.includes(path)),
          0,
        );
        const shared = files
          .slice(0, own + 1)
          .flat()
          .filter((file) => file !== path);
        // Imported by name, since a bare import of a file without side effects is warned of. The names are dropped again.
        const imports = shared.map((file, index) => `import * as shared${index} from ${JSON.stringify(file)};\n`);
        return { contents: `${await readFile(path, 'utf8')}\n${imports.join('')}`, loader: 'ts' };
      });
    },
  };
}

/** Writes `THIRD_PARTY_LICENSES.txt` beside the build: who ships a package's code ships its licence too. */
export const thirdPartyLicences: Plugin = {
  name: 'third-party-licences',
  setup(build) {
    build.onEnd(async ({ metafile }) => {
      const notices = new Map<string, Set<string>>();
      const outputs = Object.values(metafile?.outputs ?? {});
      // Inputs are named from there on.
      const from = build.initialOptions.absWorkingDir ?? '.';
      for (const input of new Set(outputs.flatMap((output) => Object.keys(output.inputs)))) {
        const file = join(from, input);
        const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
        if (folder === undefined) continue;
        const texts = notices.get(folder) ?? new Set([await licence(folder)]);
        // Some files of a package have an author and a licence of their own.
        const header = /^\s*(\/\*[\s\S]*?\*\/)/.exec(await readFile(file, 'utf8'))?.[1];
        if (header !== undefined && /copyright/i.test(header)) texts.add(header);
        notices.set(folder, texts);
      }
      if (notices.size === 0) return;
      const target = join(build.initialOptions.outdir ?? 'dist', 'THIRD_PARTY_LICENSES.txt');
      const sections = await Promise.all([...notices].map(([folder, texts]) => section(folder, texts)));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, sections.sort().join(`\n${'-'.repeat(80)}\n\n`));
    });
  },
};

/**
 * Copies the JSON Schemas of core and project into `schemas/` of the command's packages: only the command is sure to lie in a
 * project's own node_modules, where an editor looks for what `$schema` names.
 */
export const withSchemas: Plugin = {
  name: 'with-schemas',
  setup(build) {
    build.onEnd(async () => {
      await rm('schemas', { recursive: true, force: true });
      for (const owner of ['core', 'project']) await cp(join('..', owner, 'schemas'), 'schemas', { recursive: true });
    });
  },
};

async function licence(folder: string): Promise<string> {
  const file = (await readdir(folder)).find((name) => /^(licen[cs]e|copying)/i.test(name));
  if (file === undefined) throw new Error(`${folder} is compiled in, but has no licence file: it cannot be published.`);
  return readFile(join(folder, file), 'utf8');
}

async function section(folder: string, texts: Set<string>): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${[...texts].map((text) => text.trim()).join('\n\n')}\n`;
}
