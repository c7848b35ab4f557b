import { preset } from '../../tsup.preset.ts';

export default preset(
  { index: 'src/index.ts', pure: 'src/pure.ts', match: 'src/match.ts' },
  // The few functions that it takes of values are compiled in: to find and open one more package takes half as long as all of `match`.
  { noExternal: ['@agent-criteria/values'] },
);
