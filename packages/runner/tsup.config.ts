import { preset } from '../../tsup.preset.ts';

export default preset(
  {
    index: 'src/index.ts',
    defaults: 'src/run-defaults.ts',
    otel: 'src/otel.ts',
    testing: 'src/testing/index.ts',
  },
  // The entries share only a few lines without state, so a copy in each makes imports faster than an extra file would.
  { splitting: false },
);
