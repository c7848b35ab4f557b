export { addMatchers } from './add-matchers.ts';
export { addScenarios } from './add-scenarios.ts';
export { caseFromRun, type RecordedCase } from './case-from-run.ts';
export { type CaseFromSessionOptions, caseFromSession, caseOfSession } from './case-from-session.ts';
export { createEvalSet } from './create-eval-set.ts';
export {
  addCases,
  type EvalSetFile,
  findCase,
  insertCase,
  readEvalSetFile,
  removeCase,
  replaceCase,
  saveSet,
} from './eval-set-file.ts';
export { listEvalSets } from './list-eval-sets.ts';
export { type MigratedConfig, type MigratedFile, planMigration, writeMigration } from './plan-migration.ts';
export { type ReadSession, type ReadSessionOptions, readSession } from './read-session.ts';
export { referenceTurn } from './reference-turns.ts';
export { removeEvalSet, restoreEvalSet } from './remove-eval-set.ts';
export { renameEvalSet } from './rename-eval-set.ts';
export { addScenarioCases } from './scenario-cases.ts';
export type { Suggestion } from './suggest-matchers.ts';
