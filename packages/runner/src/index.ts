export type { Prices } from '@agent-criteria/results';
export {
  installLine,
  type KnownCriterion,
  knownCriteria,
  knownProviders,
  knownSimulators,
} from './advice/known-plugins.ts';
export { pluginAdvice } from './advice/plugin-advice.ts';
export { agentFromFunction } from './agent-from-function.ts';
export { agentFromValue } from './agent-from-value.ts';
export type { AgentInput } from './agent-input.ts';
export { type EvaluateOptions, type Evaluation, evaluate } from './evaluate.ts';
export { type EvaluateAgentOptions, evaluateAgent } from './evaluate-agent.ts';
export type { RunEvent, RunWatcher } from './events.ts';
export { type GenerateOptions, generate } from './generate.ts';
export { defineConfig, type ProjectConfig, type ProjectLimits } from './load/define-config.ts';
export {
  type EvaluatedCase,
  type OpenEvaluationOptions,
  type OpenedEvaluation,
  openEvaluation,
} from './open-evaluation.ts';
export { type PlannedSet, withIdsOf } from './planned-set.ts';
export { newRunFolder, type RunOptions, type RunOutcome, type RunSettings, run } from './run.ts';
export type { RecordKind, Redact, Rerun } from './run-folder/folder-journal.ts';
export { RUNS_FOLDER } from './run-folder/layout.ts';
export { listRuns, type RunListing } from './run-folder/list-runs.ts';
export { type OpenedRun, type OpenRunOptions, openRun } from './run-folder/open-run.ts';
export type { PlannedSetRecord, RunPlan, ScoredSetRecord, ScoringPlan } from './run-folder/plan-file.ts';
export { type ScoreOptions, score } from './score.ts';
export { type ScoreRunOptions, type ScoringOutcome, scoreRun } from './score-run.ts';
export { selectCases } from './select-cases.ts';
