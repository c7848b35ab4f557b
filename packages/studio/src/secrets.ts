import { noMask, type SecretMask, secretMask } from '@agent-criteria/masking';
import type { OpenProjectOptions, Project } from '@agent-criteria/project';
import { applyEnvironment, type LoadedEnvironment, loadEnvironment } from '@agent-criteria/project/config';
import type { App } from './apps/app.ts';

/** The secrets of all apps together, because their agents share the environment of this process. */
export interface Secrets {
  /** Masks values of the studio's environment, of the `.env` files that were read, and those that agents set in `process.env`. */
  readonly mask: SecretMask;
  /**
   * Reads the `.env` of an app again and applies it, so that chats have the same environment as runs.
   * @throws CriteriaError FILE_UNREADABLE.
   */
  read(app: App): Promise<void>;
}

/** Reads the secrets of apps without applying them. */
export async function openSecrets(
  { config, environment: opened }: Project,
  apps: readonly App[],
  { environment = process.env, applyEnvironment: applies }: OpenProjectOptions,
): Promise<Secrets> {
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
    mask: config.settings.maskSecrets === false ? noMask : secretMask({ environment: all }),
    async read(app) {
      const loaded = await load(app);
      if (applies !== false) applyEnvironment(loaded);
    },
  };
}
