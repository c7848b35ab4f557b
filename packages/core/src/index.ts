export { type AdkDifference, adkDifferences, honestDifferences } from './adk-differences.ts';
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
export type { Caller, CallPolicies } from './contracts/call-policies.ts';
export type {
  Aggregate,
  Beside,
  CallEstimate,
  Criterion,
  CriterionDefinition,
  Evaluate,
  Needs,
  Range,
} from './contracts/criterion.ts';
export type { From, LanguageModel, ModelAccess, ModelAnswer, ModelRequest } from './contracts/language-model.ts';
export type { ModelProvider } from './contracts/model-provider.ts';
export type { OptionsSchema, Validated } from './contracts/options-schema.ts';
export type { Plugin, PluginKind } from './contracts/plugin.ts';
export type { Origin, Registered } from './contracts/registered.ts';
export type { Evidence, Missing, Score, ScorePart } from './contracts/score.ts';
export type { ServiceCall, ServiceRetries, Tools } from './contracts/tools.ts';
export type { Ending, Inference, Span, Transcript, Turn, Unit, UnitKey } from './contracts/transcript.ts';
export type { Next, UserSession, UserSimulator } from './contracts/user-simulator.ts';
export * from './data/index.ts';
export { defineCriterion } from './define-criterion.ts';
export {
  CriteriaError,
  type ErrorCode,
  type ErrorInfo,
  formatProblem,
  isUnmadeCall,
  type Problem,
  toErrorInfo,
} from './errors.ts';
export type { Json, JsonSchema, State } from './json.ts';
export { type FunctionAnswer, type ModelFunction, modelFromFunction } from './model-from-function.ts';
export { withoutHeaders } from './model-headers.ts';
export { noOptions, optionsSchema } from './options-schema.ts';
export {
  DEFAULT_JUDGE_MODEL,
  efficiencyMetrics,
  installLine,
  type KnownCriterion,
  knownCriteria,
  knownProviders,
  knownSimulators,
} from './registry/known-plugins.ts';
export {
  createRegistry,
  defaultRegistry,
  type PluginOf,
  pluginsOf,
  type Registry,
  registerPlugin,
} from './registry/registry.ts';
export { type CoreOptions, type DefinedEvalConfig, defineEvalConfig } from './resolve/define-eval-config.ts';
export { type ModelLookup, optionsFor, type Plan, type PlannedCriterion } from './resolve/plan.ts';
export {
  DEFAULT_CRITERIA,
  pluginValues,
  type ResolveOptions,
  resolveEvalConfig,
} from './resolve/resolve-eval-config.ts';
export { unknownModel } from './resolve/unknown-name.ts';
export { costOf, type Prices } from './results/cost-of.ts';
export { evalCaseResults, evalSetResult } from './results/eval-set-result.ts';
export { formatScore } from './results/format-score.ts';
export {
  type RecordedSet,
  type RunCall,
  type RunCase,
  type RunCriterion,
  type RunFacts,
  type RunInference,
  type RunInfo,
  type RunRecord,
  type RunSet,
  runRecord,
  runSet,
} from './results/run-record.ts';
export { type TokenCounts, tokenCounts } from './results/token-counts.ts';
export {
  addUsage,
  type RunUsage,
  tokensText,
  type Usage,
  type UsageRole,
  usageOf,
  usageOfCases,
  usageRoles,
  usageText,
} from './results/usage.ts';
export { didYouMean } from './schema/did-you-mean.ts';
export type { Counts } from './scoring/bounds.ts';
export { exactMean, sumMean } from './scoring/mean.ts';
export { plainTools } from './scoring/plain-tools.ts';
export {
  type CriterionScores,
  endedBadly,
  type ScoreUnitOptions,
  scoreUnit,
  type ToolsFor,
  type UnitScores,
} from './scoring/score-unit.ts';
export {
  type CaseResult,
  type CriterionResult,
  type Summary,
  summarise,
  summariseCase,
  type TurnResult,
  type UnitCriterion,
  type UnitResult,
} from './scoring/summarise.ts';
export { type CriterionVerdict, caseVerdict, exitCode, reaches, type Verdict } from './scoring/verdict.ts';
export { type Ballot, decide } from './scoring/vote.ts';
export { openStubs, type StubbedCall, type ToolStubs } from './stubs/open-stubs.ts';
export { coreVersion } from './version.ts';
