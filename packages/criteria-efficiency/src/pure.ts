export { inferenceCallCount } from './inference-call-count.ts';
export { invocationDuration } from './invocation-duration.ts';
export { tokenUsage } from './token-usage.ts';
export { toolCallCount } from './tool-call-count.ts';
