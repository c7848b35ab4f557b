import { describeEvalSet } from '../index.ts';
import { describe, test } from 'vitest';
import { lampAgent } from './lamp-agent.ts';

test('another test of the file', () => undefined);

describe.skip('without a key', () => {
  describeEvalSet('no-agent.ts', 'lamps/lamps.evalset.json');
  describeEvalSet(lampAgent, 'lamps/lamps.evalset.json');
});
