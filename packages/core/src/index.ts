export {
  type AgentDetails,
  type AppDetails,
  allToolSteps,
  type Content,
  type ConversationScenario,
  CriteriaError,
  contentText,
  type ErrorCode,
  type ErrorInfo,
  type EvalCase,
  type EvalSet,
  type FunctionCall,
  type FunctionResponse,
  hasContent,
  type IntermediateData,
  type Invocation,
  type InvocationEvent,
  type InvocationEvents,
  intermediateTexts,
  isCallSkipped,
  isInvocationEvents,
  type Json,
  type JsonSchema,
  type Part,
  type Problem,
  pythonTransfer,
  type Rubric,
  type RubricScore,
  type SessionInput,
  type State,
  type ToolSimulationConfig,
  type ToolStep,
  toErrorInfo,
  toolCalls,
  toolResponses,
  toolSteps,
  type UserBehavior,
  type UserPersona,
} from '@agent-criteria/formats';
export { didYouMean } from '@agent-criteria/formats/schema';
export type {
  Agent,
  AgentAdapter,
  AgentDescription,
  AgentSession,
  AgentTurn,
  SessionStart,
} from './contracts/agent.ts';
export type { AgentFunction, AgentReply, FunctionReply, FunctionSession } from './contracts/agent-function.ts';
export type {
  CallEstimate,
  Criterion,
  CriterionDefinition,
  Evaluate,
  EvaluateContext,
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
export type { PartialOptions } from './contracts/options-of.ts';
export type { OptionsSchema } from './contracts/options-schema.ts';
export type { Plugin } from './contracts/plugin.ts';
export type { Origin } from './contracts/registered.ts';
export type { Evidence, Missing, Score, ScorePart } from './contracts/score.ts';
export type { ServiceCall, ServiceRetries, Tools } from './contracts/tools.ts';
export type { Ending, Inference, Span, Transcript, Turn, Unit, UnitKey } from './contracts/transcript.ts';
export type { UserMove, UserSession, UserSimulator } from './contracts/user-simulator.ts';
export { defineCriterion } from './define-criterion.ts';
export { keptSettings } from './kept-settings.ts';
export { type ModelFunction, modelFromFunction } from './model-from-function.ts';
export { namedArguments } from './named-arguments.ts';
export { noOptions, optionsSchema } from './options-schema.ts';
export { registerPlugin } from './registry/registry.ts';
export { type CoreOptions, type DefinedEvalConfig, defineEvalConfig } from './resolve/define-eval-config.ts';
export { couldNotJudge } from './scoring/could-not-judge.ts';
export { exactMean } from './scoring/mean.ts';
export { type Ballot, decide } from './scoring/vote.ts';
