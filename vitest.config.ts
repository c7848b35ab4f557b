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

// The others share a worker, which loads each source once.
const isolated = readdirSync(join(root, 'packages')).flatMap((name) => {
  const sources = join('packages', name, 'src');
  if (!existsSync(join(root, sources))) return [];
  return readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(sources, file).replaceAll('\\', '/'))
    .filter((file) => readFileSync(join(root, file), 'utf8').startsWith('// Isolated: '));
});

export default defineConfig({
  test: {
    globalSetup: [join(root, 'test/compile-cache.ts'), join(root, 'test/temporary-folder.ts')],
    // One more than there are cores: each waits now and then for a file, a timer or another process.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        ...shared,
        test: {
          ...common,
          name: 'packages',
          experimental: native,
          include: ['packages/*/src/**/*.test.ts'],
          exclude: isolated,
          isolate: false,
        },
      },
      { ...shared, test: { ...common, name: 'isolated', include: [...isolated, ...ofUsers] } },
      {
        ...shared,
        test: {
          ...common,
          // Projects run in the order of their names: the files that take longest go first.
          name: 'across-packages',
          env,
          experimental: native,
          include: ['test/**/*.test.ts', 'examples/*/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...apart.map((folder) => `${folder}/**`), ...ofArtefacts, ...ofUsers],
          testTimeout: moreRuns ? 300_000 : 120_000,
          isolate: false,
        },
      },
    ],
  },
});
