import { registerPlugin } from '@agent-criteria/core';
import { safety } from './pure.ts';

export * from './pure.ts';

registerPlugin(safety);
