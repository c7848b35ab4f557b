import { defineConfig } from 'vitest/config';

// Tests run on the sources: the condition makes every `@agent-criteria/*` import resolve to `src`.
const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

// Property tests on a busy machine take their time; what hangs is found all the same.
const testTimeout = 30_000;

// What tests import by name at run time resolves as what they import by themselves.
const execArgv = ['--conditions=@agent-criteria/source'];

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

/** It needs a setup file by the name of an installed package: `pnpm artefacts` runs it. */
const ofArtefacts = ['test/consumer/describe.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'], testTimeout, execArgv } },
      {
        ...shared,
        test: {
          name: 'examples',
          include: ['examples/*/**/*.test.ts'],
          // It needs @google/adk: `pnpm test:adk` runs it.
          exclude: ['**/node_modules/**', 'examples/adk-agent/**'],
          ...{ testTimeout, execArgv },
        },
      },
      {
        ...shared,
        test: {
          name: 'workspace',
          include: ['test/**/*.test.ts'],
          // They have lockfiles and configs of their own.
          exclude: ['**/node_modules/**', 'test/adk/**', 'test/real-adk/**', 'test/vitest-4/**', ...ofArtefacts],
          ...{ testTimeout: 60_000, execArgv },
        },
      },
    ],
  },
});
