import { registerPlugin } from '@agent-criteria/core';
import { toolTrajectory } from './pure.ts';

export * from './pure.ts';

registerPlugin(toolTrajectory);
