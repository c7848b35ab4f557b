import { defineConfig } from 'vitest/config';

// Tests run on the sources: the condition makes every `@agent-criteria/*` import resolve to `src`.
const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { name: 'packages', include: ['packages/*/src/**/*.test.ts'] } },
      { ...shared, test: { name: 'examples', include: ['examples/*/**/*.test.ts'] } },
      { ...shared, test: { name: 'workspace', include: ['test/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
});
