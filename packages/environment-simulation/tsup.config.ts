import { preset } from '../../tsup.preset.ts';

export default preset({ index: 'src/index.ts', pure: 'src/pure.ts' });
