import { resolve } from 'node:path';
import type { RunSettings } from '../run.ts';
import type { LoadedProjectConfig } from './project-config.ts';

/** What a project says of how runs go: to be overlaid by flags and options. */
export function projectSettings(
  project: LoadedProjectConfig,
): Pick<RunSettings, 'concurrency' | 'turnTimeout' | 'caseTimeout' | 'runTimeout' | 'redact'> {
  const { limits = {}, redact } = project.value;
  const { agents, scoring, ...timeouts } = limits;
  return { concurrency: { agents, scoring }, ...timeouts, redact };
}

/** Where a project keeps its runs, if it says so. */
export function projectRunsFolder(project: LoadedProjectConfig): string | undefined {
  const { runsFolder } = project.value;
  return runsFolder === undefined ? undefined : resolve(project.folder, runsFolder);
}
