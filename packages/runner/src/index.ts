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
export type { Prices } from '@agent-criteria/results';
export {
  installLine,
  type KnownCriterion,
  knownCriteria,
  knownProviders,
  knownSimulators,
} from './advice/known-plugins.ts';
export { explainUnknown, pluginAdvice, pluginAdviceWith } from './advice/plugin-advice.ts';
export { agentFromFunction } from './agent-from-function.ts';
export { agentFromValue } from './agent-from-value.ts';
export type { AgentInput } from './agent-input.ts';
export { type AgentOption, agentsOf } from './agent-option.ts';
export type { AutoRepeats } from './auto-repeats.ts';
export type { GatesOfCases, GatesOfRun } from './conclude-run.ts';
export type { RunEvent, RunWatcher } from './engine/events.ts';
export type { Rerun } from './engine/plan-case.ts';
export { isCaseList, type LoadedEvalSet, placeBelow, readEvalCases } from './eval-cases.ts';
export { evalSetFrom, readEvalSet } from './eval-set-from.ts';
export { type EvaluateOptions, type EvaluateSettings, type Evaluation, evaluate, evaluateSet } from './evaluate.ts';
export type { GateName } from './gate-name.ts';
export { type GenerateOptions, type GenerateSettings, generate } from './generate.ts';
export { isUrl } from './is-url.ts';
export type {
  CallRecord,
  CaseRecord,
  InferenceRecord,
  InferredState,
  Journal,
  Outcome,
  ScoredState,
  ScoreRecord,
  UnitState,
} from './journal/journal.ts';
export { type InferenceHead, type JournalBackend, journalOf, type ScoreHead } from './journal/journal-of.ts';
export { journalRecord } from './journal/journal-record.ts';
export { memoryJournal } from './journal/memory-journal.ts';
export { type KeepInferencesOptions, keepInferences } from './keep-inferences.ts';
export {
  type CaseToKeep,
  type EvaluatedCase,
  type OpenCasesOptions,
  type OpenedCases,
  openCases,
} from './open-cases.ts';
export { timeNow } from './own-globals.ts';
export type { PlanOption } from './plan-option.ts';
export { type PlannedSet, reuseSetIds, withUniqueIds } from './planned-set.ts';
export { newRunFolder, type RunOptions, type RunOutcome, run } from './run.ts';
export { MOST_REPEATS, runDefaults } from './run-defaults.ts';
export { addToOutcome } from './run-folder/add-to-outcome.ts';
export { type FolderJournalOptions, folderJournal } from './run-folder/folder-journal.ts';
export { type LabelWriter, openLabels, readLabels } from './run-folder/labels.ts';
export { RUNS_FOLDER } from './run-folder/layout.ts';
export { listRun, listRuns, type RunListing } from './run-folder/list-runs.ts';
export { type CaseHead, type OpenedRun, type OpenRunOptions, openRun } from './run-folder/open-run.ts';
export type {
  AgentRecord,
  PlannedSetRecord,
  RunPlan,
  ScoredSetRecord,
  ScoringPlan,
  VariantRecord,
} from './run-folder/plan-file.ts';
export { describeCriteria } from './run-folder/plan-file.ts';
export { runStamp } from './run-folder/run-stamp.ts';
export { type ScoreOptions, type ScoreSettings, score } from './score.ts';
export { type ScoreRunOptions, type ScoringOutcome, scoreRun } from './score-run.ts';
export { selectCases } from './select-cases.ts';
export type { SetOptions, SetToRun } from './set-options.ts';
export type { RecordKind, Redact } from './settings.ts';
export { checkPositive, checkRunSettings, pickRunSettings, type RunSettings, runSettingNames } from './settings.ts';
export { type AgentVariant, forEachVariant, variantProblems } from './variants.ts';
