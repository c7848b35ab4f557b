export { type FromAiSdkOptions, fromAiSdk } from './ai-sdk/from-ai-sdk.ts';
