import { preset } from '../../tsup.preset.ts';

export default preset({ index: 'src/index.ts', testing: 'src/testing/index.ts' });
