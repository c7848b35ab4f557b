import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the bundle for browsers is smaller than 40 kB and imports nothing', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
    entryPoints: [fileURLToPath(new URL('./index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  expect(outputFiles[0]!.contents.length).toBeLessThan(40_000);
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.includes('packages/statistics/src/'));
  expect(inputs).toEqual([]);
  expect(Object.values(metafile.outputs).flatMap((output) => output.imports)).toEqual([]);
});
