import type { Agent } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import type { PreparedRun, Project } from '@agent-criteria/project';
import { type AgentLease, createAgentHosts } from '@agent-criteria/project/agent-process';
import { findAgent, loadAgent } from '@agent-criteria/project/plan';
import { isUrl } from '@agent-criteria/runner';
import type { App } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import type { Secrets } from '../secrets.ts';
import { type CodeWatch, createCodeWatch } from './code-watch.ts';

export type Agents = ReturnType<typeof createAgents>;

/**
 * Runs the agents of modules in a process for each, with the code, the `.env` and the config that are on disk. An agent
 * behind a URL runs there.
 *
 * @param processes The variables of the processes, or `null` to import the modules into this process.
 */
export function createAgents(
  project: Project,
  secrets: Secrets,
  processes: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly inspect?: number | undefined;
  } | null,
) {
  const adapters = project.config.plugins.filter((plugin) => plugin.kind === 'agent-adapter');
  const registry = createRegistry(adapters);
  const hosts = processes && createAgentHosts({ project, mask: secrets.mask, ...processes });
  const here = new Map<string, Promise<Agent>>();

  /** Loads an agent into this process: one behind a URL, or a module if there are no processes. */
  async function leaseHere(agent: string): Promise<AgentLease> {
    const found = here.get(agent) ?? loadAgent(agent, registry);
    here.set(agent, found);
    // A failed one is loaded again next time.
    found.catch(() => here.delete(agent));
    return { agent: await found, files: () => new Map(), release: () => undefined };
  }

  const codes = new Map<string, CodeWatch>();

  async function lease(app: App): Promise<AgentLease> {
    const { name, agent } = app;
    if (agent === null) throw refusal(400, `App \`${name}\` has eval sets, but no agent that can be run here.`);
    await secrets.read(app);
    if (hosts === null || isUrl(agent)) return leaseHere(agent);
    return hosts.of({ file: await findAgent(agent), agentName: undefined }).lease();
  }

  return {
    /** Whether leases know the files of their agents. */
    knowsFiles: hosts !== null,
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
    async leaseForRun(
      found: { readonly file: string; readonly agentName: string | undefined },
      { sets }: PreparedRun,
    ): Promise<AgentLease | null> {
      return hosts === null || isUrl(found.file) ? null : hosts.of(found, sets).lease();
    },
    /** The processes of agents, or `null` if agents run in this process. */
    hosts,
    /** Returns the watch on the code of an app's agent, or `null` if the agent is not reloaded here. */
    async code({ name, agent, folder }: App): Promise<CodeWatch | null> {
      if (hosts === null || agent === null || isUrl(agent)) return null;
      const file = await findAgent(agent);
      const found = codes.get(name) ?? createCodeWatch(hosts.of({ file, agentName: undefined }), folder);
      codes.set(name, found);
      return found;
    },
    /** Ends all processes. */
    async close(): Promise<void> {
      await Promise.all([...codes.values()].map((code) => code.close()));
      await hosts?.close();
    },
  };
}
