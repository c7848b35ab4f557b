export type {
  Agent,
  AgentAdapter,
  AgentFunction,
  AgentReply,
  AgentSession,
  Content,
  Criterion,
  CriterionDefinition,
  EvalCase,
  EvalSet,
  Evidence,
  FunctionCall,
  FunctionReply,
  FunctionResponse,
  FunctionSession,
  Inference,
  Invocation,
  InvocationEvent,
  Json,
  JsonSchema,
  LanguageModel,
  ModelAnswer,
  ModelRequest,
  OptionsSchema,
  Part,
  Plugin,
  Score,
  State,
  ToolStep,
  Tools,
  Transcript,
  Turn,
} from '@agent-criteria/core';
export {
  CriteriaError,
  contentText,
  defineCriterion,
  exactMean,
  intermediateTexts,
  noOptions,
  optionsSchema,
  toolCalls,
  toolResponses,
  toolSteps,
} from '@agent-criteria/core';
export {
  defineEvalConfig,
  defineEvalSet,
  type EvalConfigInput,
  type EvalSetSource,
  evalCase,
  message,
  scenario,
  turn,
} from '@agent-criteria/core/eval-set';
export { type FromAiSdkOptions, fromAiSdk } from '@agent-criteria/models/ai-sdk';
export { type OpenAiCompatibleOptions, openAiCompatible } from '@agent-criteria/models/openai-compatible';
export {
  type AgentSource,
  type CustomEvalMetric,
  type CustomMetricFunction,
  type CustomMetricResult,
  defineConfig,
  type EvaluateAgentOptions,
  type EvaluateOptions,
  type ProjectConfig,
  type TypedProjectConfig,
} from '@agent-criteria/project';
export { evaluate, evaluateAgent } from './evaluate.ts';
export { main } from './main.ts';
export { pinExitCode } from './pin-exit-code.ts';
export { runCommand } from './run-command.ts';
