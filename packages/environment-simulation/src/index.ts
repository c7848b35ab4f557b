import { registerPlugin } from '@agent-criteria/core';
import { recordedTools, toolSpecSimulator } from './pure.ts';

export * from './pure.ts';

registerPlugin(toolSpecSimulator);
registerPlugin(recordedTools);
