import type { AgentAdapter } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { httpAgent } from './http-agent.ts';
import type { HttpAgentSettings } from './settings.ts';

/**
 * Creates the adapter for agents given as a URL, with your own settings, for `plugins` of `agent-criteria.config.ts`.
 * It replaces the adapter without settings.
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

/** The adapter for agents given as a URL, configured only by environment variables. */
export const http: AgentAdapter = httpAgents();
