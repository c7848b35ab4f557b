import { registerPlugin } from '@agent-criteria/core';
import { hallucinations } from './pure.ts';

export * from './pure.ts';

registerPlugin(hallucinations);
