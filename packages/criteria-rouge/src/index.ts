import { registerPlugin } from '@agent-criteria/core';
import { responseMatch } from './pure.ts';

export * from './pure.ts';

registerPlugin(responseMatch);
