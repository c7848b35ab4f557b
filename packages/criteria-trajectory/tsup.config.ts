import { preset } from '../../tsup.preset.ts';

export default preset(
  { index: 'src/index.ts', pure: 'src/pure.ts', match: 'src/match.ts' },
  // The few functions used from the package `values` are bundled, because resolving one more package takes half as
  // long as loading all of `match`.
  { noExternal: ['@agent-criteria/values'] },
);
