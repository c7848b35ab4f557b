import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'adk',
    include: ['*.test.ts', '../../examples/adk-agent/*.test.ts'],
    // ADK takes seconds to load.
    isolate: false,
    testTimeout: 60_000,
    execArgv: ['--conditions=@agent-criteria/source'],
  },
});
