import { describeEvalSet } from '../index.ts';
import { anything, endless, lampAgent } from './lamp-agent.ts';

describeEvalSet('./lamp-agent.ts', ['lamps/odd.evalset.json', 'lamps/lamps.evalset.json'], {
  name: 'two sets',
});
describeEvalSet(lampAgent, 'lamps/l*.evalset.json', {
  name: 'measured',
  config: { criteria: {}, agent_criteria: { measure: ['response_match_score'] } },
});
describeEvalSet(
  lampAgent,
  {
    eval_set_id: 'led',
    eval_cases: [{ eval_id: 'cut', conversation_scenario: { starting_prompt: 'Light!', conversation_plan: 'More.' } }],
  },
  {
    name: 'led',
    plugins: [endless, anything],
    config: { criteria: { anything: 1 }, user_simulator_config: { type: 'endless' } },
  },
);
