import { defineConfig, type Options } from 'tsup';

/** One build for every package: ESM, declarations, zod compiled in so that no user of ours ever meets it. */
export function preset(entry: Record<string, string>, more: Options = {}) {
  return defineConfig({
    entry,
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    dts: true,
    clean: true,
    sourcemap: false,
    noExternal: ['zod'],
    ...more,
  });
}
