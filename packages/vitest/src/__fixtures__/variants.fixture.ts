import { describeEvalSet } from '../index.ts';

describeEvalSet({ variants: { lamp: './lamp-agent.ts#lampAgent', dark: () => 'It is dark.' } }, ['lamps/lamps.evalset.json', 'lamps/odd.evalset.json'], {
  name: 'side by side',
  filter: { grep: ['lamps:on'] },
  runsFolder: process.env.LAMP_RUNS,
});
