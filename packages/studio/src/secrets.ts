import { noMask, secretMask } from '@agent-criteria/masking';
import type { OpenProjectOptions, Project } from '@agent-criteria/project';
import { applyEnvironment, type LoadedEnvironment, loadEnvironment } from '@agent-criteria/project/config';
import type { App } from './apps/app.ts';

export type Secrets = Awaited<ReturnType<typeof openSecrets>>;

/**
 * Reads the secrets of all apps together, because their agents share this process's environment. Sets no variables yet.
 */
export async function openSecrets(
  { config, environment: opened }: Project,
  apps: readonly App[],
  { environment = process.env, applyEnvironment: applies }: OpenProjectOptions,
) {
  const files = new Map<string, LoadedEnvironment['inFiles']>();
  const load = async ({ name, agent, folder }: App): Promise<LoadedEnvironment> => {
    const loaded = await loadEnvironment({ agent: agent ?? folder, environment });
    files.set(name, loaded.inFiles);
    return loaded;
  };
  // Unreadable files are reported when they are needed.
  for (const app of apps) await load(app).catch(() => undefined);
  const all = () => [process.env, environment, opened.variables, ...[...files.values()].flat()];
  return {
    /** The variables whose values may be secrets, now. */
    variables: all,
    /**
     * Masks values from the studio's environment, from `.env` files that were read, and from variables that agents set
     * in `process.env`.
     */
    mask: config.settings.maskSecrets === false ? noMask : secretMask({ environment: all }),
    /**
     * Rereads the `.env` of an app and applies it, so that chats have the same environment as runs.
     * @throws CriteriaError FILE_UNREADABLE.
     */
    async read(app: App): Promise<void> {
      const loaded = await load(app);
      if (applies !== false) applyEnvironment(loaded);
    },
  };
}
