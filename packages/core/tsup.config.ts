import { inLayers, preset } from '../../tsup.preset.ts';

const entry = {
  index: 'src/index.ts',
  host: 'src/host.ts',
  'eval-set': 'src/eval-set/index.ts',
  usage: 'src/usage.ts',
  testing: 'src/testing/index.ts',
};
const authors = ['src/index.ts', 'src/eval-set/index.ts'];
const applications = ['src/host.ts'];
const tests = ['src/testing/conformance.ts'];

// Bundled, along with its declarations, so that authors see one package and importing a plugin reads few files.
const formats = /^@agent-criteria\/formats/;
const declarations = {
  '@agent-criteria/formats': ['../formats/dist/index.d.ts'],
  '@agent-criteria/formats/*': ['../formats/dist/*.d.ts'],
};

export default preset(entry, {
  noExternal: [formats],
  // Bundled from its sources, of which only the parts that core uses are included.
  esbuildOptions: (options) => {
    options.conditions = ['@agent-criteria/source'];
  },
  dts: { compilerOptions: { customConditions: [], paths: declarations } },
  esbuildPlugins: [inLayers(entry, authors, applications, tests)],
});
