import { defineConfig } from 'vitest/config';

// As in vitest.config.ts: uses the sources.
const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['*.browser.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine draws late.
    expect: { poll: { timeout: 15_000 } },
  },
});
