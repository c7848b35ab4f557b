export {
  type CaseHead,
  type GatesOfRun,
  listRun,
  listRuns,
  type OpenedRun,
  type OpenRunOptions,
  openRun,
  type RunEvent,
  type RunListing,
  type RunOutcome,
  type RunWatcher,
  runStamp,
} from '@agent-criteria/runner';
export { type CallOptions, isReplayOnly } from './config/call-settings.ts';
export { configSchema } from './config/config-schema.ts';
export type {
  CustomEvalMetric,
  CustomMetricFunction,
  CustomMetricResult,
  CustomTurnResult,
} from './config/custom-criterion.ts';
export { defineConfig, type ProjectConfig, type TypedProjectConfig } from './config/define-config.ts';
export { type DescribedSetting, describeSettings } from './config/describe-settings.ts';
export {
  applyEnvironment,
  type EnvironmentFile,
  type LoadEnvironmentOptions,
  type LoadedEnvironment,
  loadEnvironment,
} from './config/environment.ts';
export { settingsOfFlags } from './config/flag-settings.ts';
export { installedCriteria, installedSimulators } from './config/installed-criteria.ts';
export { type ListCriteriaOptions, type ListedCriterion, listCriteria } from './config/list-criteria.ts';
export { loadPlugins } from './config/load-plugins.ts';
export { loadProviders } from './config/load-registry.ts';
export { type BuiltIn, type OpenProjectOptions, openProject, type Project } from './config/open-project.ts';
export {
  findProjectConfig,
  type LoadedProjectConfig,
  type LoadProjectConfigOptions,
  loadProjectConfig,
} from './config/project-config.ts';
export { projectRunsFolder } from './config/project-settings.ts';
export { type ReadEvalConfig, type ReadEvalConfigOptions, readEvalConfig } from './config/read-eval-config.ts';
export { type FlagOf, type SettingFlag, settingFlags } from './config/setting-flags.ts';
export { mistakeInSetting } from './config/settings/check-settings.ts';
export type { Setting, SettingType, Shorthand } from './config/settings/setting.ts';
export { settingTypes, type TypeRules } from './config/settings/setting-type.ts';
export { settingNames, settings } from './config/settings/settings.ts';
export type { SettingName, Settings, TextSettingName } from './config/settings/settings-type.ts';
export { flagOf, variableOf } from './config/settings/text-names.ts';
export { type SettingOrigins, type SettingSource, withSettings } from './config/settings/with-settings.ts';
export { parseVariants, splitAgent, type VariantPaths } from './config/variants.ts';
export {
  type CheckCriteriaOptions,
  type CheckedCriteria,
  type CheckedNeeds,
  checkCriteria,
} from './doctor/check-criteria.ts';
export type { CheckedFile, FileContent, SkippedFile } from './doctor/check-file.ts';
export { type CheckedModel, keyText } from './doctor/check-models.ts';
export type { CheckedService } from './doctor/check-services.ts';
export type { CheckedSet } from './doctor/check-sets.ts';
export { type DoctorOptions, doctor, type Findings, type FoundPlugin } from './doctor/doctor.ts';
export type { FileKind } from './doctor/file-kind.ts';
export type { InstalledPackage } from './doctor/installed-packages.ts';
export { type ValidateFilesOptions, type Validation, validateFiles } from './doctor/validate-files.ts';
export { addMatchers, type CaseWithMatchers } from './editing/add-matchers.ts';
export { type AddedScenarios, type AddScenariosOptions, addScenarios } from './editing/add-scenarios.ts';
export { type CaseFromRunOptions, caseFromRun } from './editing/case-from-run.ts';
export {
  type CaseFromSessionOptions,
  type CaseOfSessionOptions,
  caseFromSession,
  caseOfSession,
} from './editing/case-from-session.ts';
export { type CreateEvalSetOptions, createEvalSet } from './editing/create-eval-set.ts';
export {
  addCases,
  type CaseNeighbours,
  type EvalSetFile,
  findCase,
  insertCase,
  type ReadEvalSetFileOptions,
  readEvalSetFile,
  removeCase,
  replaceCase,
  saveSet,
} from './editing/eval-set-file.ts';
export { type ListedEvalSet, type ListedEvalSets, listEvalSets } from './editing/list-eval-sets.ts';
export {
  type MigratedConfig,
  type MigratedFile,
  type MigrationPlan,
  type PlanMigrationOptions,
  planMigration,
  writeMigration,
} from './editing/plan-migration.ts';
export type { RecordedCase } from './editing/recorded-case.ts';
export { type RemovedEvalSet, removeEvalSet, restoreEvalSet } from './editing/remove-eval-set.ts';
export { renameEvalSet } from './editing/rename-eval-set.ts';
export type { Matcher, Matchers, Suggestion } from './editing/suggest-matchers.ts';
export { agentFolder, appName, findEvalSet } from './files/agent-folder.ts';
export { collectProblems, type ProblemCollection } from './files/collect-problems.ts';
export { editJsonText, keepsComments } from './files/edit-json-text.ts';
export { type FindEvalSetsOptions, findConfig, findDatasets, findEvalSets, findTestFiles } from './files/find-files.ts';
export { importFrom, resolveFrom } from './files/import-module.ts';
export { loadEvalSet } from './files/load-eval-set.ts';
export { missingImport } from './files/missing-import.ts';
export { type JsonText, parseJsonText } from './files/parse-json-text.ts';
export { MAX_FILE_BYTES, readJsonFile } from './files/read-json-file.ts';
export { shellWord } from './files/shell-word.ts';
export { userStack } from './files/user-stack.ts';
export { bytesOf, jsonText, writeWhole } from './files/write-file.ts';
export { type FittedPreset, fitPreset } from './init/fit-preset.ts';
export {
  type InitPlan,
  type InitResult,
  initProject,
  type PlanInitOptions,
  type PlannedFile,
  planInit,
} from './init/init-project.ts';
export { type Preset, presets } from './init/presets.ts';
export type { AgentSource } from './plan/agent-source.ts';
export type { CaseFilter } from './plan/case-filter.ts';
export { configProblems, type UnsavedConfig } from './plan/config-problems.ts';
export { asks, type Estimate, type EstimatedCalls, estimateCalls, type Span } from './plan/estimate-calls.ts';
export type { TextFilter } from './plan/fitting-sets.ts';
export { gatesOfTexts } from './plan/gates/parse-gates.ts';
export { type GateRules, readGates } from './plan/gates/read-gates.ts';
export { adaptAgent, findAgent, type LoadAgentOptions, loadAgent } from './plan/load-agent.ts';
export { type LoadedPlan, type LoadPlanOptions, loadPlan } from './plan/load-plan.ts';
export { loadPolicies } from './plan/load-policies.ts';
export { type PlanOptions, type PreparedSet, planSet, setsOfAgent } from './plan/plan-sets.ts';
export { makesCalls } from './plan/planned-models.ts';
export { type EvaluateOptions, type EvaluateSettings, evaluate } from './runs/evaluate.ts';
export { type EvaluateAgentOptions, evaluateAgent } from './runs/evaluate-agent.ts';
export { type ExecutedRun, type ExecuteRunOptions, executeRun, type ReadyRun } from './runs/execute-run.ts';
export { findRun, nameOfRun } from './runs/find-run.ts';
export type { EvaluationGates } from './runs/gates/evaluation-gates.ts';
export { type BaselineSource, type OpenedBaseline, openBaseline } from './runs/gates/open-baseline.ts';
export { type AskedGates, type PreparedGates, prepareGates } from './runs/gates/run-gates.ts';
export { writeBaseline } from './runs/gates/write-baseline.ts';
export { ANONYMOUS, labellerName } from './runs/labeller-name.ts';
export { loadInstruments, statisticsFacts } from './runs/load-instruments.ts';
export { type OpenEvaluationOptions, type OpenedEvaluation, openEvaluation } from './runs/open-evaluation.ts';
export { type OpenedLabels, openLabelled } from './runs/open-labelled.ts';
export { type OpenedOutcomes, openOutcomes, outcomesOf, usedBy } from './runs/open-outcomes.ts';
export { type PreparedNoise, prepareNoise } from './runs/prepare-noise.ts';
export {
  type FoundAgent,
  type PreparedRun,
  type PreparedVariant,
  type PrepareRescoreOptions,
  type PrepareRunOptions,
  prepareRescore,
  prepareResume,
  prepareRun,
} from './runs/prepare-run.ts';
export { compareRecordedScores } from './runs/recorded/compare-recorded-scores.ts';
export { prepareRecorded } from './runs/recorded/prepare-recorded.ts';
export { isResultFile, openResultFile, readRecordedResult } from './runs/recorded/read-recorded-result.ts';
export type { RecordedScores } from './runs/recorded/recorded-scores.ts';
export { type RecordedAgent, recordedAgents } from './runs/recorded-agents.ts';
export { type RunPower, runPower } from './runs/run-power.ts';
export { inDrawnOrder, usualDraw } from './runs/seeded-shuffle.ts';
