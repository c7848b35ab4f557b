import { registerPlugin } from '@agent-criteria/core';
import { gemini } from './pure.ts';

export * from './pure.ts';

registerPlugin(gemini);
