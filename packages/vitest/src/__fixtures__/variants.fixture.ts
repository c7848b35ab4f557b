import { describeEvalSet } from '../index.ts';

describeEvalSet({ variants: { lamp: './lamp-agent.ts#lampAgent', dark: () => 'It is dark.' } }, 'lamps/lamps.evalset.json', {
  name: 'side by side',
  runsFolder: process.env.LAMP_RUNS,
});
