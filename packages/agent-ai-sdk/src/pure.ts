export { aiSdkAgent } from './ai-sdk-agent.ts';
export { aiSdkAgents } from './ai-sdk-agents.ts';
