import { realpath } from 'node:fs/promises';
import { noMask, type SecretMask, secretMask } from '@agent-criteria/masking';
import { type OpenProjectOptions, openProject, type Project } from '@agent-criteria/project';
import { type LoadedEnvironment, loadEnvironment } from '@agent-criteria/project/config';
import type { SessionLimits } from '@agent-criteria/project/watch';
import { createLiveRuns, type LiveRuns } from '../runs/live-runs.ts';
import { createEdits, type Edits } from './edits.ts';

/** All that the tools of one server share. */
export interface Workspace {
  /** The project's folder, without links. */
  readonly root: string;
  /** Whether tools that change files or run agents are switched on. */
  readonly write: boolean;
  /** The limits of all runs of the server together. */
  readonly limits: SessionLimits;
  readonly projectOptions: Omit<OpenProjectOptions, 'agent'>;
  /** Opens the project as it is now, without setting variables. @throws CriteriaError with every mistake in its config. */
  open(): Promise<Project>;
  /** Masks the secrets that are known so far. */
  mask(): SecretMask;
  /** Also masks the secrets in the `.env` files of a folder of the project, or of an agent's module. */
  alsoMask(path: string): Promise<void>;
  readonly runs: LiveRuns;
  readonly edits: Edits;
}

export interface WorkspaceOptions {
  readonly folder: string;
  readonly write: boolean;
  readonly projectOptions: Omit<OpenProjectOptions, 'agent'>;
}

/** Opens the folder of a project. Reads none of its files yet. */
export async function openWorkspace({ folder, write, projectOptions }: WorkspaceOptions): Promise<Workspace> {
  const root = await realpath(folder);
  const variables = { ...(projectOptions.environment ?? process.env) };
  const { maxCalls, maxTokens, maxCost, ...settings } = projectOptions.settings ?? {};
  const inFiles = new Map<string, LoadedEnvironment['inFiles']>();
  let isMasking = true;
  const mask = secretMask({ environment: () => [process.env, variables, ...[...inFiles.values()].flat()] });
  const own = { ...projectOptions, settings };
  const alsoMask = async (path: string): Promise<void> => {
    // An unreadable file is reported when it is needed.
    const loaded = await loadEnvironment({ agent: path, environment: variables }).catch(() => null);
    if (loaded !== null) inFiles.set(path, loaded.inFiles);
  };
  return {
    root,
    write,
    limits: { maxCalls, maxTokens, maxCost },
    projectOptions: own,
    async open() {
      const project = await openProject({ ...own, agent: root, applyEnvironment: false });
      isMasking = project.config.settings.maskSecrets !== false;
      return project;
    },
    mask: () => (isMasking ? mask : noMask),
    alsoMask,
    runs: createLiveRuns({ environment: variables, mask }),
    edits: createEdits(),
  };
}
