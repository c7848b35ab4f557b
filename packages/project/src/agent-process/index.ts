export { type AgentHost, type AgentLease, createAgentHost } from './agent-host.ts';
export { type FileHashes, hashOfFiles } from './file-hashes.ts';
