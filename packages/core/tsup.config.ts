import { preset } from '../../tsup.preset.ts';

export default preset({
  index: 'src/index.ts',
  host: 'src/host.ts',
  'eval-set': 'src/eval-set/index.ts',
  adk: 'src/adk.ts',
  stubs: 'src/stubs.ts',
  usage: 'src/usage.ts',
  testing: 'src/testing/index.ts',
});
