import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@agent-criteria/source', 'module', 'node', 'import', 'default'];

// The tests of @agent-criteria/model-gemini with the next major version of Google's client. Needs Node 22 or later.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: {
    conditions,
    alias: {
      '@google/genai': fileURLToPath(new URL('node_modules/@google/genai/dist/node/index.mjs', import.meta.url)),
    },
  },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'genai-3',
    include: ['packages/model-gemini/src/**/*.test.ts', 'test/genai-3/*.test.ts'],
    testTimeout: 60_000,
    execArgv: ['--conditions=@agent-criteria/source'],
    setupFiles: ['test/setup.ts'],
  },
});
