import { defineConfig } from 'vitest/config';

// Without "import", which would also hold for what requires another package, as Express does.
const conditions = ['@agent-criteria/source', 'node', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'a2a',
    include: ['*.test.ts'],
    // ADK takes seconds to load.
    isolate: false,
    testTimeout: 60_000,
    execArgv: ['--conditions=@agent-criteria/source'],
  },
});
