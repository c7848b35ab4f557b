import { registerPlugin } from '@agent-criteria/core';
import { toolParameterMatch, toolTrajectory } from './pure.ts';

export * from './pure.ts';

registerPlugin(toolTrajectory);
registerPlugin(toolParameterMatch);
