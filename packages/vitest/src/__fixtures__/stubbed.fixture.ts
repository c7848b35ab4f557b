import { describeEvalSet } from '../index.ts';
import { lampAgent } from './lamp-agent.ts';

const stub = { toolName: 'switch', injectionConfigs: [{ injectedResponse: {} }] };
describeEvalSet(lampAgent, 'lamps/lamps.evalset.json', {
  config: { criteria: { response_match_score: 1 }, agentCriteria: { toolSimulationConfigs: [stub] } },
});
