export { type AdkAgentOptions, type AdkSource, adkAgent, type RetryOptions } from './adk-agent.ts';
export { adkAgents } from './adk-agents.ts';
export type { AdkRoot } from './adk-shapes.ts';
export type { AdkLogLevel } from './quiet-adk.ts';
