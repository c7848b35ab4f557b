import { describeEvalSet } from '../index.ts';
import { lampAgent } from './lamp-agent.ts';

const stub = { tool_name: 'switch', injection_configs: [{ injected_response: {} }] };
describeEvalSet(lampAgent, 'lamps/lamps.evalset.json', {
  config: { criteria: { response_match_score: 1 }, agent_criteria: { tool_simulation_configs: [stub] } },
});
