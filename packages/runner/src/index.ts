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
  knownToolSimulators,
} from './advice/known-plugins.ts';
export { explainUnknown, pluginAdvice, pluginAdviceWith } from './advice/plugin-advice.ts';
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
export { countUnits } from './count-units.ts';
export type { RunEvent, RunWatcher } from './engine/events.ts';
export type { Rerun } from './engine/plan-case.ts';
export { type Evaluation, evaluate, evaluateSet } from './evaluate.ts';
export { agentFromFunction } from './function-agent/agent-from-function.ts';
export { generate } from './generate.ts';
export type { CallRecord, InferenceRecord, Journal, Outcome, ScoreRecord, UnitState } from './journal/journal.ts';
export { type JournalBackend, journalOf } from './journal/journal-of.ts';
export { memoryJournal } from './journal/memory-journal.ts';
export { journalRecord } from './journal/read-cases.ts';
export { type CaseToKeep, type EvaluatedCase, type OpenedCases, openCases } from './open-cases.ts';
export { timeNow } from './own-globals.ts';
export { isUrl, shownPath } from './paths.ts';
export { type PlannedSet, reuseSetIds, withUniqueIds } from './planned-set.ts';
export {
  evalSetFrom,
  type LoadedEvalSet,
  placeBelow,
  readEvalCases,
  readEvalSet,
  selectCases,
} from './read-eval-set.ts';
export { newRunFolder, type RunOptions, type RunOutcome, run } from './run.ts';
export { MOST_REPEATS, runDefaults } from './run-defaults.ts';
export { deleteRun } from './run-folder/delete-run.ts';
export { describeCriteria } from './run-folder/describe-run.ts';
export { folderJournal } from './run-folder/folder-journal.ts';
export { cutOffFolder } from './run-folder/import-file.ts';
export { hasLabels, type LabelWriter, openLabels, readLabels } from './run-folder/labels.ts';
export { RUNS_FOLDER } from './run-folder/layout.ts';
export { listRun, listRuns, type RunListing, runStamp } from './run-folder/list-runs.ts';
export { type OpenedRun, openRun } from './run-folder/open-run.ts';
export { addToOutcome } from './run-folder/outcome-file.ts';
export type { AgentRecord, GateName, RunPlan, ScoredSetRecord } from './run-folder/plan-file.ts';
export { pathInRun } from './run-folder/plan-paths.ts';
export { type RunFiles, readRunFiles, writeRunFiles } from './run-folder/run-files.ts';
export { createRunListings, type RunListings } from './run-folder/run-listings.ts';
export { LONGEST_NAME, readRunName, writeRunName } from './run-folder/run-name.ts';
export { type RecordedConversation, saveConversations } from './save-conversations.ts';
export { saveInferences } from './save-inferences.ts';
export { score } from './score.ts';
export { scoreRun } from './score-run.ts';
export type { AutoRepeats } from './settings.ts';
export { checkPositive, checkRunSettings, type RunSettings, runSettingNames } from './settings.ts';
export { shownStack } from './shown-stack.ts';
