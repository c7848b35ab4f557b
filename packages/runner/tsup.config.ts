import { preset } from '../../tsup.preset.ts';

export default preset({
  index: 'src/index.ts',
  load: 'src/load/index.ts',
  settings: 'src/load/settings/index.ts',
  otel: 'src/otel.ts',
  testing: 'src/testing/index.ts',
});
