import { dirname } from 'node:path';
import { type Agent, CriteriaError, type Plugin } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/formats';
import { noMask, type SecretMask, secretMask } from '@agent-criteria/masking';
import { applyEnvironment, loadEnvironment } from '../config/environment.ts';
import { loadPlugins } from '../config/load-plugins.ts';
import { openProject } from '../config/open-project.ts';
import { readEvalConfig } from '../config/read-eval-config.ts';
import { loadAgent } from '../plan/load-agent.ts';
import { type LoadRequest, MESSAGES_VERSION } from './messages.ts';

/**
 * Loads the agent of this process, after the `.env` files and the plugins that it needs.
 * @throws CriteriaError for an agent, a config or an adapter that does not load.
 */
export async function loadForProcess(
  request: LoadRequest,
): Promise<{ readonly agent: Agent; readonly mask: SecretMask }> {
  const { version, path, agentName, maskSecrets } = request;
  if (version !== MESSAGES_VERSION) {
    const message = `the installation has changed since this process was started (messages ${version}, not ${MESSAGES_VERSION}): start it again`;
    throw new CriteriaError({ code: 'NOT_SUPPORTED', message });
  }
  const environment = await loadEnvironment({ agent: path });
  applyEnvironment(environment);
  const { inFiles } = environment;
  const mask = maskSecrets ? secretMask({ environment: () => [process.env, ...inFiles] }) : noMask;
  const plugins = await pluginsOf(request);
  const registry = createRegistry([...new Set(plugins.filter(({ kind }) => kind === 'agent-adapter'))]);
  return { agent: await loadAgent(path, registry, { agentName }), mask };
}

/** Loads the plugins of the project's config and of the configs of eval sets. */
async function pluginsOf({ path, usesProjectPlugins, evalSets }: LoadRequest): Promise<readonly Plugin[]> {
  if (!usesProjectPlugins && evalSets.length === 0) return [];
  const { config: project } = await openProject({ agent: path });
  const plugins: Plugin[] = [...project.plugins];
  for (const evalSet of evalSets) {
    const { value, file, folder } = await readEvalConfig(evalSet, { project });
    const written = isObject(value) ? value.plugins : undefined;
    const names = Array.isArray(written) ? written.filter((name) => typeof name === 'string') : [];
    plugins.push(...(await loadPlugins(names, folder ?? dirname(file ?? evalSet), file)));
  }
  return plugins;
}
