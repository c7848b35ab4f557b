import { copyFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', pure: 'src/pure.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
  // zod is compiled in, so that your users need not install it: its licence must travel along.
  onSuccess: () => copyFile('node_modules/zod/LICENSE', 'dist/THIRD_PARTY_LICENSES.txt'),
});
