export { http, httpAgent, httpAgents } from './http-agent.ts';
