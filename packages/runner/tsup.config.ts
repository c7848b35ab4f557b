import { preset } from '../../tsup.preset.ts';

export default preset({
  index: 'src/index.ts',
  otel: 'src/otel.ts',
  testing: 'src/testing/index.ts',
});
