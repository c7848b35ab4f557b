import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'adk-web',
    include: ['*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    execArgv: ['--conditions=@agent-criteria/source'],
  },
});
