export { type FileHashes, hashOfFile, hashOfFiles } from '../files/file-hashes.ts';
export type { SessionLimits } from '../watch/watch-budget.ts';
export { type WatchedRuns, watchRuns } from '../watch/watch-runs.ts';
export type { Todo } from '../watch/watch-session.ts';
export type { AgentHost, AgentLease } from './agent-host.ts';
export { createAgentHosts } from './agent-hosts.ts';
export { watchFiles } from './watch-files.ts';
