import type { Agent } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import type { Project } from '@agent-criteria/project';
import { loadAgent } from '@agent-criteria/project/plan';
import type { App } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import type { Secrets } from '../secrets.ts';

export type Agents = ReturnType<typeof createAgents>;

/** Provides the apps' agents, each loaded when first needed, with the current `.env`. */
export function createAgents({ config }: Project, secrets: Secrets) {
  const registry = createRegistry(config.plugins.filter((plugin) => plugin.kind === 'agent-adapter'));
  const loaded = new Map<string, Promise<Agent>>();
  return {
    /** @throws A refusal if the app has no agent, or CriteriaError if the agent does not load. */
    async of(app: App): Promise<Agent> {
      const { name, agent } = app;
      if (agent === null) throw refusal(400, `App \`${name}\` has eval sets, but no agent that can be run here.`);
      await secrets.read(app);
      const found = loaded.get(name) ?? loadAgent(agent, registry);
      loaded.set(name, found);
      // A module that failed to load is loaded again next time.
      found.catch(() => loaded.delete(name));
      return found;
    },
  };
}
