import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'ai-sdk',
    include: ['*.test.ts', '../../examples/ai-sdk-agent/*.test.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    testTimeout: 60_000,
    execArgv: ['--conditions=@agent-criteria/source'],
  },
});
