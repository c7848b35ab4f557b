// For applications that resolve configs, score units and summarise cases. Plugin authors need only the main entry.

export type { AdkStatus, EvalConfig } from '@agent-criteria/formats';
export { checkOptions } from './check-options.ts';
export type {
  AgentArtifacts,
  ArtifactVersions,
  EarlierTurn,
  SendOptions,
  ToolCall,
  ToolEnvironment,
} from './contracts/agent.ts';
export type { AgentOutput, AgentStream, FunctionSessionStart } from './contracts/agent-function.ts';
export type { Caller, CallPolicies } from './contracts/call-policies.ts';
export type { PluginKind } from './contracts/plugin.ts';
export type { Registered } from './contracts/registered.ts';
export type { OverallScore } from './contracts/score.ts';
export type { SimulatedCall, SimulatedCase, SimulatedTools, ToolSimulator } from './contracts/tool-simulator.ts';
export type { CutOff } from './contracts/transcript.ts';
export { counted } from './counted.ts';
export { createRegistry, defaultRegistry, type PluginOf, pluginsOf, type Registry } from './registry/registry.ts';
export { DEFAULT_JUDGE_MODEL } from './resolve/model-lookup.ts';
export { unmetNeed } from './resolve/needs.ts';
export {
  type ModelLookup,
  optionsFor,
  type Plan,
  type PlannedCriterion,
  type PlannedEnvironment,
} from './resolve/plan.ts';
export type { PluginAdvice, UnknownName } from './resolve/plugin-advice.ts';
export {
  DEFAULT_CRITERIA,
  pluginValues,
  resolveEvalConfig,
} from './resolve/resolve-eval-config.ts';
export type { ResolveOptions } from './resolve/resolve-options.ts';
export { adkView, type ScoreCounts, scoreBounds } from './scoring/bounds.ts';
export { callEvaluate } from './scoring/call-evaluate.ts';
export { directTools } from './scoring/direct-tools.ts';
export { expectsNothing } from './scoring/expects-nothing.ts';
export { formatScore, formatShare } from './scoring/format-number.ts';
export { sumMean } from './scoring/mean.ts';
export {
  type CriterionScores,
  endedInError,
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
export { type CriterionVerdict, caseVerdict, meetsThreshold, type Verdict } from './scoring/verdict.ts';
export { toolNamesOf } from './stubs/plan-environments.ts';
export { coreVersion } from './version.ts';
