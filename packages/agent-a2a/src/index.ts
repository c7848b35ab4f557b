import { registerPlugin } from '@agent-criteria/core';
import { a2a } from './pure.ts';

export * from './pure.ts';

registerPlugin(a2a);
