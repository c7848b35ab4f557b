import { fileURLToPath } from 'node:url';
import { preset } from '../../tsup.preset.ts';

/** Each folder of the source is an entry. */
const folders = ['files', 'config', 'plan', 'runs', 'agent-process', 'doctor', 'editing', 'init', 'watch'];

export default preset(
  {
    index: 'src/index.ts',
    flags: 'src/flags.ts',
    // It is started, never imported.
    'agent-process-child': 'src/agent-process/child.ts',
    ...Object.fromEntries(folders.map((folder) => [folder, `src/${folder}/index.ts`])),
  },
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
