import { fileURLToPath } from 'node:url';
import { preset } from '../../tsup.preset.ts';

export default preset(
  { index: 'src/index.ts' },
  {
    esbuildOptions(options) {
      // On Node, yaml resolves to CommonJS, which would call `require` once bundled. Our ES modules have no `require`.
      options.alias = {
        ...options.alias,
        yaml: fileURLToPath(new URL('node_modules/yaml/browser/dist/index.js', import.meta.url)),
      };
    },
  },
);
