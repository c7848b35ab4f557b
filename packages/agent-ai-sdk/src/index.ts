import { registerPlugin } from '@agent-criteria/core';
import { aiSdkAgents } from './pure.ts';

export * from './pure.ts';

registerPlugin(aiSdkAgents);
