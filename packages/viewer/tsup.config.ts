import type { Options } from 'tsup';
import { preset, thirdPartyLicences } from '../../tsup.preset.ts';
import { bundleApp } from './src/bundle-app.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Replaces the module that compiles the app with the compiled app. */
const compiledApp: Plugin = {
  name: 'compiled-app',
  setup(build) {
    build.onLoad({ filter: /[\\/]bundle-app\.ts$/ }, async () => {
      const code = {
        run: await bundleApp('run', [thirdPartyLicences]),
        comparison: await bundleApp('comparison', [thirdPartyLicences]),
      };
      return {
        contents: `const code = ${JSON.stringify(code)};\nexport const bundleApp = async (page) => code[page];`,
        loader: 'js',
      };
    });
  },
};

export default preset({ index: 'src/index.ts' }, { esbuildPlugins: [compiledApp] });
