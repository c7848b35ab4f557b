import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', pure: 'src/pure.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
});
