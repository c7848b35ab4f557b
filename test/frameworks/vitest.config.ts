import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'frameworks',
    include: ['*.test.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Loads each framework once.
    isolate: false,
    // Node loads our sources, as it does those of other pages: see the root's config.
    env: { JITI_TRY_NATIVE: 'true' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    execArgv: ['--conditions=@agent-criteria/source'],
  },
});
