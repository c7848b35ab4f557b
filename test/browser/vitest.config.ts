import { defineConfig } from 'vitest/config';

// Uses the sources, as vitest.config.ts does.
const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['*.browser.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine may take long to draw.
    expect: { poll: { timeout: 15_000 } },
  },
});
