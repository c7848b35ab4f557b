export { a2a, a2aAgent, a2aAgents } from './a2a-agent.ts';
