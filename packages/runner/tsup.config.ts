import { preset } from '../../tsup.preset.ts';

export default preset(
  {
    index: 'src/index.ts',
    defaults: 'src/run-defaults.ts',
    otel: 'src/otel.ts',
    testing: 'src/testing/index.ts',
  },
  // What the entries share is a few lines without state: a copy for each costs an import less than one more file.
  { splitting: false },
);
