export { type FileHashes, hashOfFile, hashOfFiles } from '../files/file-hashes.ts';
export type { AgentHost, AgentLease } from './agent-host.ts';
export { type AgentHosts, createAgentHosts } from './agent-hosts.ts';
export { watchFiles } from './watch-files.ts';
