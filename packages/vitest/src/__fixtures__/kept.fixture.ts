import { describeEvalSet } from '../index.ts';

describeEvalSet('lamp-agent.ts', ['lamps/lamps.evalset.json', 'lamps/odd.evalset.json'], {
  name: 'kept',
  runsFolder: process.env.LAMP_RUNS,
  repeats: 2,
});
