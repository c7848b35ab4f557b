import type { AgentAdapter } from './agent.ts';
import type { Criterion } from './criterion.ts';
import type { ModelProvider } from './model-provider.ts';
import type { UserSimulator } from './user-simulator.ts';

/** Anything that can be registered. */
export type Plugin = Criterion | ModelProvider | UserSimulator | AgentAdapter;

/** The four kinds of plugin. */
export type PluginKind = Plugin['kind'];
