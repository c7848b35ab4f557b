import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

// The tests of @agent-criteria/vitest with this folder's Vitest, the major version before the workspace's.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'vitest-4',
    include: ['packages/vitest/src/**/*.test.ts', 'test/vitest-4/*.test.ts'],
    testTimeout: 60_000,
    execArgv: ['--conditions=@agent-criteria/source'],
    env: { VITEST_FOLDER: fileURLToPath(new URL('node_modules/vitest', import.meta.url)) },
  },
});
