import type { Options } from 'tsup';
import { preset } from '../../tsup.preset.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * Makes `dist/http.js` and `dist/agent-server.js` import shared code from `dist/index.js`. The index, which is what nearly everyone imports, then
 * stays a single file.
 */
const indexAlone: Plugin = {
  name: 'index-alone',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/(abort|error-words|html|time-limit)\.ts$/ }, () => ({
      path: './index.js',
      external: true,
    }));
  },
};

export default preset(
  { index: 'src/index.ts', http: 'src/http.ts', json: 'src/json.ts', 'agent-server': 'src/agent-server.ts' },
  { esbuildPlugins: [indexAlone] },
);
