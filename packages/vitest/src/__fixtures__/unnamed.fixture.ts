import { describeEvalSet } from '../index.ts';
import { lampAgent } from './lamp-agent.ts';

describeEvalSet({ variants: { lamp: lampAgent, 'a b': lampAgent } }, 'lamps/lamps.evalset.json');
