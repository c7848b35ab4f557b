import type { Names } from './names.ts';

const core = '@agent-criteria/core';
const coreRange = '>=0.1.0 <1';

function conditions(entry: string) {
  return { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` };
}

const published = { '.': conditions('index'), './pure': conditions('pure'), './package.json': './package.json' };

function head({ package: name, snake }: Names) {
  return {
    name,
    version: '0.1.0',
    description: `The criterion ${snake} for agent-criteria.`,
    // The second keyword tells the command that it may import the package to find the criterion.
    keywords: ['agent-criteria', 'agent-criteria-plugin'],
    license: 'Apache-2.0',
    type: 'module',
    // The entry registers the criterion, so bundlers must not drop it.
    sideEffects: ['./dist/index.js', './src/index.ts'],
    engines: { node: '>=20.19' },
    files: ['dist', 'LICENSE', 'README.md', 'CHANGELOG.md'],
  };
}

/** Returns the package.json of a standalone package. Its tools also run on Node 20. */
export function ownManifest(names: Names): object {
  return {
    ...head(names),
    exports: published,
    scripts: { build: 'tsup', test: 'vitest run', types: 'tsc', prepublishOnly: 'npm run build' },
    peerDependencies: { [core]: coreRange },
    devDependencies: {
      [core]: coreRange,
      '@types/node': '^20.19.0',
      tsup: '^8.5.1',
      typescript: '~5.9.3',
      vitest: '^4.1.0',
    },
  };
}

/** Returns the package.json of a package in agent-criteria's workspace. */
export function workspaceManifest(names: Names): object {
  const source = (entry: string) => ({ '@agent-criteria/source': `./src/${entry}.ts`, ...conditions(entry) });
  return {
    ...head(names),
    exports: { '.': source('index'), './pure': source('pure'), './package.json': './package.json' },
    publishConfig: { access: 'public', provenance: true, exports: published },
    scripts: { build: 'tsup' },
    peerDependencies: { [core]: coreRange },
    devDependencies: { [core]: 'workspace:^', tsup: 'catalog:' },
  };
}
