import { readFile } from 'node:fs/promises';
import type { Options } from 'tsup';
import { preset } from '../../tsup.preset.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * Makes `dist/rouge.js` import nothing, and the other files import it, so that the algorithm can be loaded alone and
 * exists only once.
 */
const rougeAlone: Plugin = {
  name: 'rouge-alone',
  setup(build) {
    build.onResolve({ filter: /^\.\/rouge\.ts$/ }, () => ({ path: './rouge.js', external: true }));
    build.onEnd(({ metafile }) => {
      const [, rouge] = Object.entries(metafile?.outputs ?? {}).find(([file]) => file.endsWith('/rouge.js')) ?? [];
      const [shared] = rouge?.imports ?? [];
      if (shared !== undefined)
        throw new Error(`rouge.js imports ${shared.path}: let the criterion import rouge.ts only.`);
    });
  },
};

/**
 * Bundles natural's stemmers as ES modules, without their base class, which brings tokenizers and stop words that
 * nothing here calls. If they were CommonJS, esbuild would share its helpers with `rouge.js`.
 */
const stemmersAlone: Plugin = {
  name: 'stemmers-alone',
  setup(build) {
    build.onLoad({ filter: /[\\/]natural[\\/]lib[\\/]natural[\\/]stemmers[\\/]\w+\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const alone = source
        .replace(/require\('\.\/stemmer_[a-z]+'\)/, 'class {}')
        .replace("require('./token')", 'token');
      if (alone.includes('require(')) throw new Error(`${path} requires more than the stemmers of natural 8.1.1 did.`);
      const imports = source.includes("require('./token')") ? "import token from './token.js';" : '';
      return { contents: `${imports} const module = {};\n${alone}\nexport default module.exports;` };
    });
  },
};

export default preset(
  { index: 'src/index.ts', pure: 'src/pure.ts', rouge: 'src/rouge.ts', stemmers: 'src/stemmers.ts' },
  { noExternal: [/^natural\//], esbuildPlugins: [rougeAlone, stemmersAlone] },
);
