import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownManifest, workspaceManifest } from './manifest.ts';
import { type Names, readName } from './names.ts';

export interface CreateOptions {
  /** The name of the package, such as `criteria-tone` or `@me/criteria-tone`. */
  readonly name: string;
  /** The folder in which to create the package's folder. */
  readonly into: string;
  /** Whether to create a package for agent-criteria's own workspace instead of a standalone one. Default `false`. */
  readonly workspace?: boolean | undefined;
}

/** The new package, or a problem and its remedy, in which case nothing was written. */
export type Created = { readonly folder: string; readonly criterion: string } | { readonly problem: string };

/** Both as source and when built, this file is one folder below the package root. */
const here = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The template's files and their names in the new package. They differ for `.gitignore`, which npm would drop on
 * publishing.
 */
const everywhere = {
  'README.md': 'README.md',
  'src/index.ts': 'src/index.ts',
  'src/pure.ts': 'src/pure.ts',
  'src/sample-criterion.ts': 'src/sample-criterion.ts',
  'src/sample-criterion.test.ts': 'src/sample-criterion.test.ts',
};
const alone = { 'tsup.config.ts': 'tsup.config.ts', 'tsconfig.json': 'tsconfig.json', gitignore: '.gitignore' };
const inWorkspace = { 'tsup.workspace.ts': 'tsup.config.ts' };

/** Creates the package for a new criterion, with a small working criterion, its conformance test and a README. */
export async function createCriterion({ name, into, workspace = false }: CreateOptions): Promise<Created> {
  const names = readName(name);
  if (typeof names === 'string') return { problem: names };
  const folder = join(into, names.folder);
  try {
    // Not recursive, so that it fails on an existing folder.
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { problem: `${folder} already exists. Choose another name, or move it away.` };
  }
  const manifest = workspace ? workspaceManifest(names) : ownManifest(names);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'LICENSE'), await readFile(join(here, 'LICENSE')));
  for (const [from, to] of Object.entries({ ...everywhere, ...(workspace ? inWorkspace : alone) })) {
    const target = join(folder, spell(to, names));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, spell(await readFile(join(here, 'template', from), 'utf8'), names));
  }
  return { folder, criterion: names.snake };
}

/**
 * Replaces the template's names. The template is working code, in which each name is a placeholder for one spelling of the new
 * one.
 */
function spell(text: string, names: Names): string {
  return text
    .replaceAll('criteria-sample-package', names.package)
    .replaceAll('sample-criterion', names.kebab)
    .replaceAll('sample_criterion', names.snake)
    .replaceAll('sampleCriterionScore', names.identifier);
}
