import { preset } from '../../tsup.preset.ts';

export default preset({
  index: 'src/index.ts',
  defaults: 'src/defaults.ts',
  'ai-sdk': 'src/ai-sdk.ts',
  'openai-compatible': 'src/openai-compatible.ts',
});
