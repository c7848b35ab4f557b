import type { AgentAdapter } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { ADK_SOURCE, type AdkAgent, adkAgent } from './adk-agent.ts';
import { type AdkRoot, isApp, isRunnableRoot } from './adk-shapes.ts';
import { findAdk } from './load-adk.ts';

/**
 * Turns module exports into agents under test: agents, Apps and workflows from `@google/adk`, and results of
 * `adkAgent`.
 */
export const adkAgents: AgentAdapter = {
  kind: 'agent-adapter',
  specVersion: 3,
  name: 'adk',
  origin: { package: manifest.name, version: manifest.version },
  accepts: (exported) => isApp(exported) || isRunnableRoot(exported) || isAdkAgent(exported),
  adapt(exported, file) {
    const { source, options } = isAdkAgent(exported)
      ? exported[ADK_SOURCE]
      : { source: exported as AdkRoot, options: {} };
    const known = { ...options, from: options.from ?? file };
    // Fails once here, rather than in every case.
    if (known.adk === undefined) findAdk(known.from);
    return adkAgent(source, known);
  },
};

function isAdkAgent(value: unknown): value is AdkAgent {
  return typeof value === 'object' && value !== null && ADK_SOURCE in value;
}
