import { expect } from 'vitest';
import { agentMatchers } from './matchers.ts';

export type * from './matcher-types.ts';

expect.extend(agentMatchers);
