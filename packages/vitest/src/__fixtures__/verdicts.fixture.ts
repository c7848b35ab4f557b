import { describeEvalSet } from '../index.ts';
import { lampAgent } from './lamp-agent.ts';

describeEvalSet('./lamp-agent.ts', ['lamps/odd.evalset.json', 'lamps/lamps.evalset.json'], {
  name: 'two sets',
});
describeEvalSet(lampAgent, 'lamps/l*.evalset.json', {
  name: 'measured',
  config: { criteria: {}, agent_criteria: { measure: ['response_match_score'] } },
});
