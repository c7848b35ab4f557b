import { registerPlugin } from '@agent-criteria/core';
import { http } from './pure.ts';

export * from './pure.ts';

registerPlugin(http);
