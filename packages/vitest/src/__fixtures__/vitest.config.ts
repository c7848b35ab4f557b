import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const alias = {
  '@agent-criteria/vitest': here('../index.ts'),
  // Whatever Vitest it is that runs, not the one beside the sources.
  'vitest/node': join(process.env.VITEST_FOLDER ?? '', 'dist/node.js'),
  vitest: join(process.env.VITEST_FOLDER ?? '', 'dist/index.js'),
};

/** For Vitest processes that tests start: `*.fixture.ts` are their test files. */
export default defineConfig({
  root: here('.'),
  resolve: { conditions, alias },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['**/*.fixture.ts'],
    // A machine that is busy with other things takes its time.
    testTimeout: 60_000,
    // One worker for all of them starts sooner; the tests of matchers ask for more.
    isolate: false,
    maxWorkers: 1,
    // Published, it is named '@agent-criteria/vitest/setup'.
    setupFiles: [here('../setup.ts')],
    // As where they are installed: Node loads the other packages, and Vite transforms nothing of them.
    server: { deps: { external: [/\/packages\/(?!vitest\/)[^/]+\/src\//] } },
    execArgv: process.env.WORKER_FLAGS?.split(' ') ?? [],
  },
});
