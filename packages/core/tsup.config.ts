import { inLayers, preset } from '../../tsup.preset.ts';

const entry = {
  index: 'src/index.ts',
  host: 'src/host.ts',
  'eval-set': 'src/eval-set/index.ts',
  adk: 'src/adk.ts',
  stubs: 'src/stubs.ts',
  usage: 'src/usage.ts',
  testing: 'src/testing/index.ts',
};
const authors = ['src/index.ts', 'src/eval-set/index.ts'];
const applications = ['src/host.ts', 'src/adk.ts'];
const tests = ['src/testing/conformance.ts'];

export default preset(entry, { esbuildPlugins: [inLayers(entry, authors, applications, tests)] });
