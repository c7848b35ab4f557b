export { http, httpAgents } from './http.ts';
export { httpAgent } from './http-agent.ts';
