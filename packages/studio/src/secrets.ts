import { noMask, type SecretMask, secretMask } from '@agent-criteria/masking';
import type { OpenProjectOptions, Project } from '@agent-criteria/project';
import { applyEnvironment, type LoadedEnvironment, loadEnvironment } from '@agent-criteria/project/config';
import type { App } from './apps/app.ts';

/** The secrets of all apps together, since their agents share the variables of this process. */
export interface Secrets {
  /**
   * Knows what is in the studio's environment and in the `.env` of every app that was read, and what agents set in `process.env`
   * while they are loaded and while they answer.
   */
  readonly mask: SecretMask;
  /**
   * Reads the `.env` of an app again, and sets what it adds, as a run does, so that the agent has in a chat what it has in a run.
   * @throws CriteriaError FILE_UNREADABLE.
   */
  read(app: App): Promise<void>;
}

/** Knows the secrets of these apps from the start, and sets nothing yet. */
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
  // An unreadable file is reported where it is needed.
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
