export type { AgentLease } from './agent-host.ts';
export { createAgentHosts } from './agent-hosts.ts';
export { type FileHashes, hashOfFile, hashOfFiles } from './file-hashes.ts';
export { watchFiles } from './watch-files.ts';
