import { describeEvalSet } from '@agent-criteria/vitest';

// One test for each case: fixed conversations, and visitors that a model plays.
describeEvalSet('agent', ['repair.evalset.json', 'scenarios/visitors.evalset.json']);
