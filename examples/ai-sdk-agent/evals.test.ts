import { describeEvalSet } from '@agent-criteria/vitest';

// One test for each case.
describeEvalSet('agent', 'support.evalset.json');
