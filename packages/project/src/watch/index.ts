export type { SessionLimits } from './watch-budget.ts';
export { type WatchedRuns, watchRuns } from './watch-runs.ts';
export type { Todo } from './watch-session.ts';
