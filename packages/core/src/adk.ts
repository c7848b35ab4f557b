// What ADK Python has written: old eval data, and the state it hands from one session to the next.
export { type MigrateOptions, migrateEvalData, type OldFormat } from './adk/migrate.ts';
export { pythonTransfer } from './adk/python-transfer.ts';
export { type EvalData, readEvalData } from './adk/read-eval-data.ts';
export { isAgentsCliDataset } from './data/kind.ts';
export type { InitialSession } from './data/model.ts';
