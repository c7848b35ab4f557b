import { dirname, join } from 'node:path';
import { createRegistry } from '@agent-criteria/core/host';
import type { SecretMask } from '@agent-criteria/masking';
import { shownPath } from '@agent-criteria/runner';
import type { Project } from '../config/open-project.ts';
import type { PreparedSet } from '../plan/plan-sets.ts';
import { type AgentHost, createAgentHost } from './agent-host.ts';

export interface AgentHostsOptions {
  readonly project: Pick<Project, 'config'>;
  /** The variables of the processes, without those of `.env` files. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Masks what arrives from the processes. Default: only the processes mask. */
  readonly mask?: SecretMask | undefined;
  /**
   * The port of 127.0.0.1 for a debugger of the first agent; others, and a process that replaces one which still runs,
   * get a free one. Default: none.
   */
  readonly inspect?: number | undefined;
}

/** An agent of a module, and the name that selects it there. */
export interface AgentOfModule {
  readonly file: string;
  readonly agentName: string | undefined;
}

/** The hosts of a project's agents: one for each agent. */
export interface AgentHosts {
  /** Returns the host of an agent. @param sets The eval sets of a run, whose configs may have agent adapters. Default: none. */
  of(agent: AgentOfModule, sets?: readonly PreparedSet[]): AgentHost;
  /** Ends all processes. */
  close(): Promise<void>;
}

export function createAgentHosts({ project: { config }, environment, mask, inspect }: AgentHostsOptions): AgentHosts {
  const own = createRegistry(config.plugins.filter((plugin) => plugin.kind === 'agent-adapter')).list('agent-adapter');
  const hosts = new Map<string, AgentHost>();
  return {
    of({ file, agentName }, sets = []) {
      const adapted = sets.filter(({ registry }) =>
        registry.list('agent-adapter').some(({ name }) => !own.some((adapter) => adapter.name === name)),
      );
      const evalSets = adapted.flatMap((set) => set.file ?? []);
      const key = JSON.stringify([file, agentName, evalSets]);
      const found = hosts.get(key);
      if (found !== undefined) return found;
      const environmentFiles = [join(dirname(file), '.env'), join(process.cwd(), '.env')];
      const made = createAgentHost({
        path: shownPath(file),
        agentName,
        usesProjectPlugins: own.length > 0,
        evalSets,
        alsoOf: config.file === null ? environmentFiles : [...environmentFiles, config.file],
        maskSecrets: config.settings.maskSecrets !== false,
        environment,
        mask,
        inspect: inspect === undefined ? undefined : hosts.size === 0 ? inspect : 0,
      });
      hosts.set(key, made);
      return made;
    },
    async close() {
      await Promise.all([...hosts.values()].map((host) => host.close()));
    },
  };
}
