export { type FromAiSdkOptions, fromAiSdk } from './ai-sdk/from-ai-sdk.ts';
export type { AiSdkCall, AiSdkMessage, AiSdkModel, AiSdkResult } from './ai-sdk/specification.ts';
