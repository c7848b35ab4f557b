import { preset } from '../../tsup.preset.ts';

export default preset({ index: 'src/index.ts', bin: 'src/bin.ts' });
