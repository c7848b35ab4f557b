import type { Options } from 'tsup';
import { preset } from '../../tsup.preset.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** `dist/http.js` imports what it shares from `dist/index.js`, so that this comes as one file: nearly all import it alone. */
const indexAlone: Plugin = {
  name: 'index-alone',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/abort\.ts$/ }, () => ({ path: './index.js', external: true }));
  },
};

export default preset({ index: 'src/index.ts', http: 'src/http.ts' }, { esbuildPlugins: [indexAlone] });
