import { type OpenProjectOptions, openProject as open, type Project, type Settings } from '@agent-criteria/project';
import { builtInCriteria, builtInProviders } from './built-in-criteria.ts';
import type { Io } from './io.ts';
import { maskEnvironmentFiles } from './masked.ts';

/** Opens the project of a command. Flags override all other settings; the command's own plugins are added. */
export async function openProject(agent: string | undefined, settings: Settings, io: Io): Promise<Project> {
  const project = await open({ ...projectOptions(settings, io), agent });
  maskEnvironmentFiles(project, io);
  return project;
}

export function projectOptions(settings: Settings, { environment }: Io): Omit<OpenProjectOptions, 'agent'> {
  return { settings, environment, builtIn: { plugins: builtInCriteria, providers: builtInProviders } };
}
