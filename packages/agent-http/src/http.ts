import type { AgentAdapter } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { httpAgent } from './http-agent.ts';
import type { HttpAgentSettings } from './settings.ts';

/**
 * The adapter for agents that are given as a URL, with settings of your own: for `plugins` of `agent-criteria.config.ts`.
 * It takes the place of the one without settings.
 */
export function httpAgents(settings: HttpAgentSettings = {}): AgentAdapter {
  return {
    kind: 'agent-adapter',
    specVersion: 3,
    name: 'http',
    origin: { package: manifest.name, version: manifest.version },
    accepts: (exported) => typeof exported === 'string' && /^https?:\/\//i.test(exported),
    adapt: (exported) => httpAgent(String(exported), settings),
  };
}

/** Agents that are given as a URL, with what the environment says and nothing else. */
export const http: AgentAdapter = httpAgents();
