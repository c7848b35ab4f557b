import type { AgentAdapter } from './agent.ts';
import type { Criterion } from './criterion.ts';
import type { ModelProvider } from './model-provider.ts';
import type { ToolSimulator } from './tool-simulator.ts';
import type { UserSimulator } from './user-simulator.ts';

/** Anything that can be registered. */
export type Plugin = Criterion | ModelProvider | UserSimulator | ToolSimulator | AgentAdapter;

/** The five kinds of plugin. */
export type PluginKind = Plugin['kind'];
