import type { Options } from 'tsup';
import { preset } from '../../tsup.preset.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** `dist/rouge.js` stands alone, and the others import it: no code of ours comes with the algorithm, and no part twice. */
const rougeAlone: Plugin = {
  name: 'rouge-alone',
  setup(build) {
    build.onResolve({ filter: /^\.\/rouge\.ts$/ }, () => ({ path: './rouge.js', external: true }));
  },
};

/** natural's stemmers extend a class that brings tokenizers and stop words, which nothing here calls. */
const stemmersAlone: Plugin = {
  name: 'stemmers-alone',
  setup(build) {
    build.onResolve({ filter: /^\.\/stemmer_[a-z]{2}$/ }, ({ path }) => ({ path, namespace: 'stemmers-alone' }));
    build.onLoad({ filter: /./, namespace: 'stemmers-alone' }, () => ({ contents: 'module.exports = class {};' }));
  },
};

export default preset(
  { index: 'src/index.ts', pure: 'src/pure.ts', rouge: 'src/rouge.ts', stemmers: 'src/stemmers.ts' },
  { noExternal: ['zod', /^natural\//], esbuildPlugins: [rougeAlone, stemmersAlone] },
);
