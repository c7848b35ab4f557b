// The eval data that ADK wrote before it had eval sets.
export { type ReadDataset, readAgentsCliDataset } from './adk/agents-cli-dataset.ts';
export { wouldBeLeftOut } from './adk/left-out.ts';
export { type MigrateOptions, migrateEvalData, type OldFormat } from './adk/migrate.ts';
export { isAgentsCliDataset, migrateCommand } from './data/kind.ts';
export type { InitialSession } from './data/model.ts';
