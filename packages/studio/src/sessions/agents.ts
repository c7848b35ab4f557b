import { dirname, join, relative } from 'node:path';
import type { Agent } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import type { PreparedRun, Project } from '@agent-criteria/project';
import { type AgentHost, type AgentLease, createAgentHost } from '@agent-criteria/project/agent-process';
import { findAgent, loadAgent } from '@agent-criteria/project/plan';
import { isUrl } from '@agent-criteria/runner';
import type { App } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import type { Secrets } from '../secrets.ts';

export type Agents = ReturnType<typeof createAgents>;

/** An agent of a run: its module, and the name that selects it there. */
interface AgentOfRun {
  readonly file: string;
  readonly agentName: string | undefined;
}

/**
 * Runs the agents of modules in a process for each, with the code, the `.env` and the config that are on disk. An agent
 * behind a URL runs there.
 *
 * @param processes The variables of the processes, or `null` to import the modules into this process.
 */
export function createAgents(
  { config: { plugins, settings, file: configFile } }: Project,
  secrets: Secrets,
  processes: { readonly environment: Readonly<Record<string, string | undefined>> } | null,
) {
  const registry = createRegistry(plugins.filter((plugin) => plugin.kind === 'agent-adapter'));
  const usesProjectPlugins = registry.list('agent-adapter').length > 0;
  const hosts = new Map<string, AgentHost>();
  const here = new Map<string, Promise<Agent>>();
  const maskSecrets = settings.maskSecrets !== false;

  function hostOf(
    { file, agentName }: AgentOfRun,
    environment: Readonly<Record<string, string | undefined>>,
    evalSets: readonly string[] = [],
  ): AgentHost {
    const key = JSON.stringify([file, agentName, evalSets]);
    const found = hosts.get(key);
    if (found !== undefined) return found;
    const environmentFiles = [join(dirname(file), '.env'), join(process.cwd(), '.env')];
    const made = createAgentHost({
      path: shownPath(file),
      agentName,
      usesProjectPlugins,
      evalSets,
      alsoOf: configFile === null ? environmentFiles : [...environmentFiles, configFile],
      maskSecrets,
      environment,
      mask: secrets.mask,
    });
    hosts.set(key, made);
    return made;
  }

  /** Loads an agent into this process: one behind a URL, or a module if there are no processes. */
  async function leaseHere(agent: string): Promise<AgentLease> {
    const found = here.get(agent) ?? loadAgent(agent, registry);
    here.set(agent, found);
    // A failed one is loaded again next time.
    found.catch(() => here.delete(agent));
    return { agent: await found, files: () => new Map(), release: () => undefined };
  }

  async function lease(app: App): Promise<AgentLease> {
    const { name, agent } = app;
    if (agent === null) throw refusal(400, `App \`${name}\` has eval sets, but no agent that can be run here.`);
    await secrets.read(app);
    if (processes === null || isUrl(agent)) return leaseHere(agent);
    return hostOf({ file: await findAgent(agent), agentName: undefined }, processes.environment).lease();
  }

  return {
    /**
     * Leases the agent of an app for a turn.
     * @throws A refusal if the app has no agent; CriteriaError if it does not load.
     */
    lease,
    /** Returns the agent, to describe it or to decide what it can do. @throws Like `lease`. */
    async of(app: App): Promise<Agent> {
      const { agent, release } = await lease(app);
      release();
      return agent;
    },
    /**
     * Leases an agent of a run, or returns `null` for one that the run loads into this process.
     * @throws CriteriaError if it does not load.
     */
    async leaseForRun(found: AgentOfRun, { sets }: PreparedRun): Promise<AgentLease | null> {
      if (processes === null || isUrl(found.file)) return null;
      const adapted = sets.filter((set) =>
        set.registry
          .list('agent-adapter')
          .some(({ name }) => !registry.list('agent-adapter').some((own) => own.name === name)),
      );
      const evalSets = adapted.flatMap(({ file }) => file ?? []);
      return hostOf(found, processes.environment, evalSets).lease();
    },
    /** Ends all processes. */
    async close(): Promise<void> {
      await Promise.all([...hosts.values()].map((host) => host.close()));
    },
  };
}

/** Shortens a path for messages. */
function shownPath(file: string): string {
  const near = relative('.', file);
  return near.startsWith('..') ? file : near;
}
