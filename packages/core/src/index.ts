export type {
  AgentDetails,
  AppDetails,
  Content,
  ConversationScenario,
  EvalCase,
  EvalSet,
  FunctionCall,
  FunctionResponse,
  IntermediateData,
  Invocation,
  InvocationEvent,
  InvocationEvents,
  Json,
  JsonSchema,
  Part,
  Rubric,
  RubricScore,
  SessionInput,
  State,
  ToolSimulationConfig,
  UserBehavior,
  UserPersona,
} from '@agent-criteria/formats';
export {
  CriteriaError,
  contentText,
  type ErrorCode,
  type ErrorInfo,
  hasContent,
  intermediateTexts,
  isCallSkipped,
  isInvocationEvents,
  type Problem,
  pythonTransfer,
  type ToolStep,
  toErrorInfo,
  toolCalls,
  toolResponses,
  toolSteps,
} from '@agent-criteria/formats';
export { didYouMean } from '@agent-criteria/formats/schema';
export type {
  Agent,
  AgentAdapter,
  AgentDescription,
  AgentFunction,
  AgentReply,
  AgentSession,
  AgentTurn,
  FunctionReply,
  FunctionSession,
  SessionStart,
} from './contracts/agent.ts';
export type {
  Aggregate,
  CallEstimate,
  CheckContext,
  Criterion,
  CriterionDefinition,
  Evaluate,
  Needs,
  Range,
} from './contracts/criterion.ts';
export type {
  AnswerSource,
  LanguageModel,
  ModelAccess,
  ModelAnswer,
  ModelRequest,
} from './contracts/language-model.ts';
export type { ModelProvider } from './contracts/model-provider.ts';
export type { OpinionsEvidence } from './contracts/opinions.ts';
export type { OptionsSchema, Validated } from './contracts/options-schema.ts';
export type { Plugin } from './contracts/plugin.ts';
export type { Origin } from './contracts/registered.ts';
export type { Evidence, Missing, Score, ScorePart } from './contracts/score.ts';
export type { ServiceCall, ServiceRetries, Tools } from './contracts/tools.ts';
export type { Ending, Inference, Span, Transcript, Turn, Unit, UnitKey } from './contracts/transcript.ts';
export type { UserMove, UserSession, UserSimulator } from './contracts/user-simulator.ts';
export { defineCriterion } from './define-criterion.ts';
export { keptSettings } from './kept-settings.ts';
export { type FunctionAnswer, type ModelFunction, modelFromFunction } from './model-from-function.ts';
export { noOptions, optionsSchema } from './options-schema.ts';
export { registerPlugin } from './registry/registry.ts';
export { type CoreOptions, type DefinedEvalConfig, defineEvalConfig } from './resolve/define-eval-config.ts';
export { couldNotJudge } from './scoring/could-not-judge.ts';
export { exactMean } from './scoring/mean.ts';
export { type Ballot, decide } from './scoring/vote.ts';
