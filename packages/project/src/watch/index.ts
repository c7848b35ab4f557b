export { limitsLeft, NOTHING_SPENT, type SessionLimits, type SessionSpent, withSpent } from './session-budget.ts';
export { type WatchedRuns, watchRuns } from './watch-runs.ts';
export type { Todo } from './watch-session.ts';
