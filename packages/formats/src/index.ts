export {
  contentText,
  fileNames,
  hasContent,
  intermediateTexts,
  isInvocationEvents,
  messageTitle,
  type ToolStep,
  toolCalls,
  toolResponses,
  toolSteps,
} from './data/accessors.ts';
export { base64Size, isBase64 } from './data/base64.ts';
export { GROUP_KEY, groupOf, mistakeInGroup, mistakeInTags, TAGS_KEY, tagsOf } from './data/case-keys.ts';
export { cutOffIn } from './data/cut-off.ts';
export { mockStrategyOf } from './data/mock-strategy.ts';
export type {
  AdkStatus,
  AgentDetails,
  AppDetails,
  Content,
  ConversationScenario,
  CriterionConfig,
  CustomMetricConfig,
  EnvironmentSimulationConfig,
  EvalCase,
  EvalCaseResult,
  EvalConfig,
  EvalMetricResult,
  EvalSet,
  EvalSetResult,
  FunctionCall,
  FunctionResponse,
  InjectionConfig,
  IntermediateData,
  Invocation,
  InvocationEvent,
  InvocationEvents,
  Part,
  Rubric,
  RubricScore,
  SessionInput,
  TokenUsageDetails,
  ToolSimulationConfig,
  UserBehavior,
  UserPersona,
} from './data/model.ts';
export { pythonTransfer } from './data/python-transfer.ts';
export { recordedEvents } from './data/recorded-events.ts';
export { allToolSteps } from './data/server-side-calls.ts';
export { shortTurns } from './data/short-turn.ts';
export { isStepPart } from './data/step-parts.ts';
export { urlContextCall } from './data/url-context.ts';
export {
  CriteriaError,
  type ErrorCode,
  type ErrorInfo,
  formatProblem,
  isCallSkipped,
  type Problem,
  toErrorInfo,
} from './errors.ts';
export { isObject, type Json, type JsonSchema, parseJson, type State, stringifyJson } from './json.ts';
