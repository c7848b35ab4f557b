import type { AgentAdapter } from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { aiSdkAgent } from './ai-sdk-agent.ts';
import { type AiSdkAgentObject, isAiSdkAgent } from './ai-sdk-shapes.ts';

/** Turns agents of the AI SDK, such as a `ToolLoopAgent`, that a module exports into agents under test. */
export const aiSdkAgents: AgentAdapter = {
  kind: 'agent-adapter',
  specVersion: 3,
  name: 'ai-sdk',
  origin: { package: manifest.name, version: manifest.version },
  accepts: isAiSdkAgent,
  adapt: (exported) => aiSdkAgent(exported as AiSdkAgentObject),
};
