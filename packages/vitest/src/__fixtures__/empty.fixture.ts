import { describeEvalSet } from '../index.ts';
import { lampAgent } from './lamp-agent.ts';

describeEvalSet(lampAgent, []);
