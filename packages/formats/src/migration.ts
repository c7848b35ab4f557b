export { type ReadDataset, readAgentsCliDataset } from './migration/agents-cli-dataset.ts';
export { wouldBeLeftOut } from './migration/left-out.ts';
export { type MigrateOptions, migrateEvalData, type OldFormat } from './migration/migrate.ts';
export { type EvalData, readEvalData } from './migration/read-eval-data.ts';
