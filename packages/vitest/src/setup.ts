import { expect } from 'vitest';
import { failUnawaited } from './fail-unawaited.ts';
import { agentMatchers } from './matchers.ts';

export type * from './matcher-types.ts';

expect.extend(agentMatchers);
failUnawaited(['toMatchTrajectory', 'toMatchResponse', 'toPassCriterion']);
