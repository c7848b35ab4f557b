import { openProject, type Project } from '@agent-criteria/project';
import type { Studio } from '../studio.ts';
import type { App } from './app.ts';

/** The project that a run of an app has. @throws CriteriaError with every mistake in its config. */
export function projectOf({ projectOptions }: Studio, { agent, folder }: App): Promise<Project> {
  return openProject({ ...projectOptions, agent: agent ?? folder });
}
