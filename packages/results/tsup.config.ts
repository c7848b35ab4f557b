import { preset } from '../../tsup.preset.ts';

export default preset({ index: 'src/index.ts', adk: 'src/adk/index.ts', text: 'src/text/index.ts' });
