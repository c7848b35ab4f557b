import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const alias = {
  '@agent-criteria/vitest': here('../index.ts'),
  // The version of Vitest under test, not the one installed next to the sources.
  'vitest/node': join(process.env.VITEST_FOLDER ?? '', 'dist/node.js'),
  vitest: join(process.env.VITEST_FOLDER ?? '', 'dist/index.js'),
};

/** Config for Vitest processes started by tests; `*.fixture.ts` are their test files. */
export default defineConfig({
  root: here('.'),
  resolve: { conditions, alias },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['**/*.fixture.ts'],
    // A busy machine may be slow.
    testTimeout: 60_000,
    // A single shared worker starts faster; the tests of matchers request more.
    isolate: false,
    maxWorkers: 1,
    // Published as '@agent-criteria/vitest/setup'.
    setupFiles: [here('../setup.ts')],
    // As in an installation: Node loads the other packages, and Vite does not transform them.
    server: { deps: { external: [/\/packages\/(?!vitest\/)[^/]+\/src\//] } },
    execArgv: process.env.WORKER_FLAGS?.split(' ') ?? [],
  },
});
