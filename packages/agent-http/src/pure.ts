export { endpointAgent } from './endpoint/endpoint-agent.ts';
export { http, httpAgent, httpAgents } from './http-agent.ts';
