import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from 'tsup';
import { preset, thirdPartyLicences } from '../../tsup.preset.ts';
import { bundleApp } from './src/bundle-app.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The replacement for the module that compiles the app. It reads the compiled files instead. */
const READER = `
import { readdir, readFile } from 'node:fs/promises';
export async function bundleApp() {
  const folder = new URL('./app/', import.meta.url);
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder))])));
}
`;

const compiledApp: Plugin = {
  name: 'compiled-app',
  setup(build) {
    build.onLoad({ filter: /[\\/]bundle-app\.ts$/ }, () => ({ contents: READER, loader: 'js' }));
    build.onEnd(async () => {
      const folder = join('dist', 'app');
      await mkdir(folder, { recursive: true });
      const files = await bundleApp([thirdPartyLicences]);
      await Promise.all([...files].map(([name, content]) => writeFile(join(folder, name), content)));
    });
  },
};

export default preset({ index: 'src/index.ts', api: 'src/api.ts' }, { esbuildPlugins: [compiledApp] });
