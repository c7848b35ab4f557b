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
export {
  type AgentInput,
  type AgentOption,
  agentFromValue,
  agentsOf,
  forEachVariant,
  type LoadedAgent,
  type RunAgents,
  variantProblems,
} from './agents.ts';
export type { GatesOfCases, GatesOfRun } from './conclude-run.ts';
export type { RunEvent, RunWatcher } from './engine/events.ts';
export type { Rerun } from './engine/plan-case.ts';
export { type Evaluation, evaluate, evaluateSet } from './evaluate.ts';
export { type GenerateOptions, generate } from './generate.ts';
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
export { memoryJournal } from './journal/memory-journal.ts';
export { journalRecord } from './journal/read-cases.ts';
export {
  type CaseToKeep,
  type EvaluatedCase,
  type OpenCasesOptions,
  type OpenedCases,
  openCases,
} from './open-cases.ts';
export { timeNow } from './own-globals.ts';
export { isUrl } from './paths.ts';
export type { PlanOption, SetOptions, SetToRun } from './planned-set.ts';
export { type PlannedSet, reuseSetIds, withUniqueIds } from './planned-set.ts';
export {
  evalSetFrom,
  isCaseList,
  type LoadedEvalSet,
  placeBelow,
  readEvalCases,
  readEvalSet,
  selectCases,
} from './read-eval-set.ts';
export { newRunFolder, type RunOptions, type RunOutcome, run } from './run.ts';
export { MOST_REPEATS, runDefaults } from './run-defaults.ts';
export { describeCriteria } from './run-folder/describe-run.ts';
export { type FolderJournalOptions, folderJournal } from './run-folder/folder-journal.ts';
export { type LabelWriter, openLabels, readLabels } from './run-folder/labels.ts';
export { RUNS_FOLDER } from './run-folder/layout.ts';
export { listRun, listRuns, type RunListing, runStamp } from './run-folder/list-runs.ts';
export { type CaseHead, type OpenedRun, type OpenRunOptions, openRun } from './run-folder/open-run.ts';
export { addToOutcome } from './run-folder/outcome-file.ts';
export type {
  AgentRecord,
  GateName,
  PlannedSetRecord,
  RunPlan,
  ScoredSetRecord,
  ScoringPlan,
  VariantRecord,
} from './run-folder/plan-file.ts';
export { type SaveInferencesOptions, saveInferences } from './save-inferences.ts';
export { type ScoreOptions, score } from './score.ts';
export { type ScoreRunOptions, type ScoringOutcome, scoreRun } from './score-run.ts';
export type { AutoRepeats, RecordKind, Redact } from './settings.ts';
export {
  checkPositive,
  checkRunSettings,
  pickRunSettings,
  type RunSettings,
  runSettingNames,
} from './settings.ts';
