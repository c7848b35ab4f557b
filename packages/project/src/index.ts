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
export { agentFolder, appName, findEvalSet } from './agent-folder.ts';
export type { AgentSource } from './agent-source.ts';
export { type CallOptions, isReplayOnly } from './call-settings.ts';
export type { CaseFilter } from './case-filter.ts';
export { collectProblems, type ProblemCollection } from './collect-problems.ts';
export { configSchema } from './config-schema.ts';
export type {
  CustomEvalMetric,
  CustomMetricFunction,
  CustomMetricResult,
  CustomTurnResult,
} from './custom-criterion.ts';
export { defineConfig, type ProjectConfig, type TypedProjectConfig } from './define-config.ts';
export { type DescribedSetting, describeSettings } from './describe-settings.ts';
export {
  type CheckCriteriaOptions,
  type CheckedCriteria,
  type CheckedNeeds,
  checkCriteria,
} from './doctor/check-criteria.ts';
export { type CheckedModel, keyText } from './doctor/check-models.ts';
export type { CheckedService } from './doctor/check-services.ts';
export type { CheckedSet } from './doctor/check-sets.ts';
export { type DoctorOptions, doctor, type Findings, type FoundPlugin } from './doctor/doctor.ts';
export type { InstalledPackage } from './doctor/installed-packages.ts';
export { inDrawnOrder, usualDraw } from './drawn-order.ts';
export { editJsonText, keepsComments } from './edit-json-text.ts';
export {
  applyEnvironment,
  type EnvironmentFile,
  type LoadEnvironmentOptions,
  type LoadedEnvironment,
  loadEnvironment,
} from './environment.ts';
export { asks, type Estimate, type EstimatedCalls, estimateCalls, type Span } from './estimate-calls.ts';
export { addMatchers, type CaseWithMatchers } from './eval-sets/add-matchers.ts';
export { type AddedScenarios, type AddScenariosOptions, addScenarios } from './eval-sets/add-scenarios.ts';
export { type CaseFromRunOptions, caseFromRun } from './eval-sets/case-from-run.ts';
export {
  type CaseFromSessionOptions,
  type CaseOfSessionOptions,
  caseFromSession,
  caseOfSession,
} from './eval-sets/case-from-session.ts';
export { type CreateEvalSetOptions, createEvalSet } from './eval-sets/create-eval-set.ts';
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
} from './eval-sets/eval-set-file.ts';
export { type ListedEvalSet, type ListedEvalSets, listEvalSets } from './eval-sets/list-eval-sets.ts';
export {
  type MigratedConfig,
  type MigratedFile,
  type MigrationPlan,
  type PlanMigrationOptions,
  planMigration,
  writeMigration,
} from './eval-sets/plan-migration.ts';
export type { RecordedCase } from './eval-sets/recorded-case.ts';
export { type RemovedEvalSet, removeEvalSet, restoreEvalSet } from './eval-sets/remove-eval-set.ts';
export { renameEvalSet } from './eval-sets/rename-eval-set.ts';
export type { Matcher, Matchers, Suggestion } from './eval-sets/suggest-matchers.ts';
export { type EvaluateOptions, type EvaluateSettings, evaluate } from './evaluate.ts';
export { type EvaluateAgentOptions, evaluateAgent } from './evaluate-agent.ts';
export { type ExecutedRun, type ExecuteRunOptions, executeRun, type ReadyRun } from './execute-run.ts';
export { type FindEvalSetsOptions, findConfig, findDatasets, findEvalSets, findTestFiles } from './find-files.ts';
export { findRun, nameOfRun } from './find-run.ts';
export type { TextFilter } from './fitting-sets.ts';
export type { EvaluationGates } from './gates/evaluation-gates.ts';
export { gatesOfTexts } from './gates/gates-of-texts.ts';
export { type BaselineSource, type OpenedBaseline, openBaseline } from './gates/open-baseline.ts';
export { type GateRules, readGates } from './gates/read-gates.ts';
export { type AskedGates, type PreparedGates, prepareGates } from './gates/run-gates.ts';
export { writeBaseline } from './gates/write-baseline.ts';
export { importFrom, resolveFrom } from './import-module.ts';
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
export { installedCriteria, installedSimulators } from './installed-criteria.ts';
export { ANONYMOUS, labellerName } from './labeller-name.ts';
export { type ListCriteriaOptions, type ListedCriterion, listCriteria } from './list-criteria.ts';
export { adaptAgent, findAgent, type LoadAgentOptions, loadAgent } from './load-agent.ts';
export { loadEvalSet } from './load-eval-set.ts';
export { loadInstruments, statisticsFacts } from './load-instruments.ts';
export { type LoadedPlan, type LoadPlanOptions, loadPlan } from './load-plan.ts';
export { loadPlugins } from './load-plugins.ts';
export { loadPolicies } from './load-policies.ts';
export { loadProviders } from './load-registry.ts';
export { missingImport } from './missing-import.ts';
export { type OpenEvaluationOptions, type OpenedEvaluation, openEvaluation } from './open-evaluation.ts';
export { type OpenedLabels, openLabelled } from './open-labelled.ts';
export { type OpenedOutcomes, openOutcomes, outcomesOf, usedBy } from './open-outcomes.ts';
export { type BuiltIn, type OpenProjectOptions, openProject, type Project } from './open-project.ts';
export { type JsonText, parseJsonText } from './parse-json-text.ts';
export { type PlanOptions, type PreparedSet, planSet, setsOfAgent } from './plan-sets.ts';
export { makesCalls } from './planned-models.ts';
export { type PreparedNoise, prepareNoise } from './prepare-noise.ts';
export {
  type FoundAgent,
  type PreparedRun,
  type PreparedVariant,
  type PrepareRescoreOptions,
  type PrepareRunOptions,
  prepareRescore,
  prepareResume,
  prepareRun,
} from './prepare-run.ts';
export {
  findProjectConfig,
  type LoadedProjectConfig,
  type LoadProjectConfigOptions,
  loadProjectConfig,
} from './project-config.ts';
export { projectRunsFolder } from './project-settings.ts';
export { type ReadEvalConfig, type ReadEvalConfigOptions, readEvalConfig } from './read-eval-config.ts';
export { MAX_FILE_BYTES, readJsonFile } from './read-json-file.ts';
export { compareRecordedScores } from './recorded/compare-recorded-scores.ts';
export { prepareRecorded } from './recorded/prepare-recorded.ts';
export { isResultFile, openResultFile, readRecordedResult } from './recorded/read-recorded-result.ts';
export type { RecordedScores } from './recorded/recorded-scores.ts';
export { type RecordedAgent, recordedAgents } from './recorded-agents.ts';
export { type RunPower, runPower } from './run-power.ts';
export { type FlagOf, type SettingFlag, settingFlags } from './setting-flags.ts';
export { mistakeInSetting } from './settings/check-settings.ts';
export type { Setting, SettingType, Shorthand } from './settings/setting.ts';
export { settingTypes, type TextForm, type TypeRules } from './settings/setting-type.ts';
export { settingNames, settings } from './settings/settings.ts';
export type { SettingName, Settings, TextSettingName } from './settings/settings-type.ts';
export { flagOf, variableOf } from './settings/text-names.ts';
export { type SettingOrigins, type SettingSource, withSettings } from './settings/with-settings.ts';
export { settingsOfFlags } from './settings-of-flags.ts';
export { shellWord } from './shell-word.ts';
export { userStack } from './user-stack.ts';
export type { CheckedFile, FileContent, SkippedFile } from './validate/check-file.ts';
export { configProblems, type UnsavedConfig } from './validate/config-problems.ts';
export type { FileKind } from './validate/file-kind.ts';
export { type ValidateFilesOptions, type Validation, validateFiles } from './validate/validate-files.ts';
export { parseVariants, splitAgent, type VariantPaths } from './variants.ts';
export { bytesOf, jsonText, writeWhole } from './write-file.ts';
