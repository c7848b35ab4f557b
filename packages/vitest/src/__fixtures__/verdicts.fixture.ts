import { describeEvalSet } from '../index.ts';
import { anything, endless, lampAgent } from './lamp-agent.ts';

describeEvalSet('./lamp-agent.ts', ['lamps/odd.evalset.json', 'lamps/lamps.evalset.json'], {
  name: 'two sets',
});
describeEvalSet(lampAgent, 'lamps/l*.evalset.json', {
  name: 'measured',
  config: { criteria: {}, agentCriteria: { measure: ['response_match_score'] } },
});
describeEvalSet(
  lampAgent,
  {
    evalSetId: 'led',
    evalCases: [{ evalId: 'cut', conversationScenario: { startingPrompt: 'Light!', conversationPlan: 'More.' } }],
  },
  {
    name: 'led',
    plugins: [endless, anything],
    config: { criteria: { anything: 1 }, userSimulatorConfig: { type: 'endless' } },
  },
);
