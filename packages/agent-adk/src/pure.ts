export { type AdkAgentOptions, type AdkSource, adkAgent } from './adk-agent.ts';
export { adkAgents } from './adk-agents.ts';
