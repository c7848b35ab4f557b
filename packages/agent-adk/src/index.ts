import { registerPlugin } from '@agent-criteria/core';
import { adkAgents } from './pure.ts';

export * from './pure.ts';

registerPlugin(adkAgents);
