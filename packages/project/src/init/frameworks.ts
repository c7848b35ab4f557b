import { adkAgentSource } from './adk-agent-source.ts';
import { aiSdkAgentSource } from './ai-sdk-agent-source.ts';

/** A framework for agents that `init` recognises. */
export interface Framework {
  /** Its package, among the dependencies of a project that uses it. */
  readonly dependency: string;
  /** The first major version that the adapter supports. */
  readonly since: number;
  /** Our package for its agents. */
  readonly adapter: string;
  /** The classes of its agents. */
  readonly classes: readonly string[];
  /** The names of exports, of which the first one found is the project's agent. Others come last. */
  readonly exports: readonly string[];
  /** The source of a new agent, in place of a function. */
  readonly source: string;
  /** The packages that the source imports besides the framework, with their version ranges. Default: none. */
  readonly sourceNeeds?: Readonly<Record<string, string>> | undefined;
}

export const frameworks: readonly Framework[] = [
  {
    dependency: 'ai',
    since: 6,
    adapter: '@agent-criteria/agent-ai-sdk',
    classes: ['ToolLoopAgent'],
    exports: ['rootAgent', 'agent', 'default'],
    source: aiSdkAgentSource,
  },
  {
    dependency: '@google/adk',
    since: 2,
    adapter: '@agent-criteria/agent-adk',
    classes: ['App', 'LlmAgent', 'Agent', 'SequentialAgent', 'ParallelAgent', 'LoopAgent', 'Workflow'],
    exports: ['app', 'rootApp', 'rootAgent', 'default'],
    source: adkAgentSource,
    sourceNeeds: { zod: '^4.2.1' },
  },
];
