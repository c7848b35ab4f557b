import { registerPlugin } from '@agent-criteria/core';
import { inferenceCallCount, invocationDuration, tokenUsage, toolCallCount } from './pure.ts';

export * from './pure.ts';

registerPlugin(toolCallCount);
registerPlugin(inferenceCallCount);
registerPlugin(tokenUsage);
registerPlugin(invocationDuration);
