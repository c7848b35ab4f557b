import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { moreRuns } from './test/runs.ts';

// Tests run on the sources: the condition makes every `@agent-criteria/*` import resolve to `src`.
const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

const root = import.meta.dirname;
/** Node loads the sources itself, as it does for users: Vite would transform them first. Nothing is mocked there. */
const native = { viteModuleRunner: false, nodeLoader: false };
/**
 * Agents of examples and pages import our packages. As published, these are JavaScript, which Node loads. Here they are
 * TypeScript, which the loader of TypeScript agents would compile and load again for each project.
 */
const env = { JITI_TRY_NATIVE: 'true' };
/** The folders whose tests need packages with a lockfile of their own, which scripts such as `pnpm test:adk` run. */
const apart = ['test', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((path) => ['.', 'agent'].some((below) => existsSync(join(root, path, below, 'package-lock.json')))),
);
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};
const common = {
  // Ends a test that hangs, but not one that is only slow: property tests with many runs on a busy machine.
  testTimeout: moreRuns ? 300_000 : 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  execArgv: [
    // What tests import by name at run time resolves as what they import by themselves.
    '--conditions=@agent-criteria/source',
    // A worker lives long. To collect its garbage seldom from its first test on, and without threads, takes less time.
    '--single-threaded-gc',
    '--min-semi-space-size=64',
    '--max-semi-space-size=64',
    '--initial-old-space-size=512',
  ],
  setupFiles: [join(root, 'test/setup.ts')],
};

/** It needs a setup file by the name of an installed package: `pnpm artefacts` runs it. */
const ofArtefacts = ['test/consumer/describe.test.ts'];

/** It imports TypeScript as `.js`, as many projects do, which Vite understands and Node does not. */
const ofUsers = ['test/consumer/evaluation.test.ts'];

const ofPackages = readdirSync(join(root, 'packages')).flatMap((name) => testsIn(join('packages', name, 'src')));
const acrossPackages = [
  ...testsIn('test'),
  ...readdirSync(join(root, 'examples')).flatMap((name) => testsIn(join('examples', name))),
];
/** They take so long that `pnpm test` leaves them to `pnpm test:long`. */
const long = [...ofPackages, ...acrossPackages].filter((file) => isMarked(file, 'Long'));
// The others share a worker, which loads each source once.
const isolated = [...ofPackages.filter((file) => isMarked(file, 'Isolated')), ...ofUsers];

function testsIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' || apart.includes(path) ? [] : testsIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Whether one of the comments before a file's first statement begins with this word, as in `// Long: ` and the reason. */
function isMarked(file: string, word: string): boolean {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const first = lines.findIndex((line) => !line.startsWith('//'));
  return lines.slice(0, first).some((line) => line.startsWith(`// ${word}: `));
}

const ofNode = { ...common, experimental: native, isolate: false };
const acrossSettings = { ...ofNode, env, testTimeout: moreRuns ? 300_000 : 120_000 };

/** @param files Those of the long ones that run with these settings. */
function longProject(name: string, settings: object, files: readonly string[]) {
  return { ...shared, test: { ...settings, name: `long-${name}`, include: [...files] } };
}

export default defineConfig({
  test: {
    globalSetup: [join(root, 'test/compile-cache.ts'), join(root, 'test/temporary-folder.ts')],
    // One more than there are cores: each waits now and then for a file, a timer or another process.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        ...shared,
        test: {
          ...ofNode,
          name: 'packages',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...isolated, ...long],
        },
      },
      { ...shared, test: { ...common, name: 'isolated', include: isolated.filter((file) => !long.includes(file)) } },
      {
        ...shared,
        test: {
          ...acrossSettings,
          // Projects run in the order of their names: the files that take longest go first.
          name: 'across-packages',
          include: ['test/**/*.test.ts', 'examples/*/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            ...apart.map((folder) => `${folder}/**`),
            ...ofArtefacts,
            ...ofUsers,
            ...long,
          ],
        },
      },
      longProject(
        'across-packages',
        acrossSettings,
        long.filter((file) => acrossPackages.includes(file)),
      ),
      longProject(
        'isolated',
        common,
        long.filter((file) => isolated.includes(file)),
      ),
      longProject(
        'packages',
        ofNode,
        long.filter((file) => ofPackages.includes(file) && !isolated.includes(file)),
      ),
    ],
  },
});
