import type { AgentInput } from '@agent-criteria/runner';

/** An agent as a value, or the path of a module or folder that exports one, or the URL of a server. */
export type AgentSource = AgentInput | string;
