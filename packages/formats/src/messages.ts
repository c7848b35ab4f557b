export { type AgentStep, invocationOf, type ReportedTurn } from './messages/agent-step.ts';
export {
  type AiSdkResult,
  type AiSdkStep,
  type AiSdkTurn,
  isAiSdkResult,
  readAiSdkSteps,
} from './messages/ai-sdk-result.ts';
export { appDetailsOf } from './messages/app-details.ts';
export { messageOf, type ReadCall, type ReportedCall, readCall, responseOf } from './messages/reported-call.ts';
export { toolDeclarations } from './messages/tool-declarations.ts';
export { usageMetadata } from './messages/usage.ts';
