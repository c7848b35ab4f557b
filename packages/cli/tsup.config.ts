import { preset, withSchemas } from '../../tsup.preset.ts';

export default preset({ index: 'src/index.ts', bin: 'src/bin.ts' }, { esbuildPlugins: [withSchemas] });
