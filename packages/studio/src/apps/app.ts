import { relative, resolve, sep } from 'node:path';
import { type OpenProjectOptions, openProject, type Project } from '@agent-criteria/project';
import { refusal } from '../http/refusal.ts';

/** An agent in the folder that the user specified. */
export interface App {
  /** Name in requests. */
  readonly name: string;
  /** Absolute path of the folder that contains its eval sets, config and eval history. */
  readonly folder: string;
  /** Module, folder or URL for `loadAgent`, or `null` if there are only eval sets. */
  readonly agent: string | null;
}

/** Finds the app named in a request. @throws A 404 refusal. */
export function appOf({ apps }: { readonly apps: readonly App[] }, name: string | undefined): App {
  const app = apps.find((one) => one.name === name);
  if (app !== undefined) return app;
  throw refusal(404, `App not found: ${name}. There are: ${apps.map((one) => one.name).join(', ')}.`);
}

/** Finds the innermost app whose folder contains the agent of a run. */
export function appOfAgent(apps: readonly App[], agent: string): App | null {
  const file = resolve(agent.replace(/#[^#/\\]*$/, ''));
  const holding = apps.filter(
    (app) => app.agent === agent || file === app.folder || file.startsWith(`${app.folder}${sep}`),
  );
  return holding.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? null;
}

/** Names a file for readers: from the folder of an app, or in full if it is outside. */
export function nameIn(folder: string, file: string): string {
  const name = relative(folder, file);
  return name.startsWith('..') ? file : name;
}

/** Opens the project of an app, as a run does. @throws CriteriaError listing every mistake in its config. */
export function projectOf(
  { projectOptions }: { readonly projectOptions: Omit<OpenProjectOptions, 'agent'> },
  { agent, folder }: App,
): Promise<Project> {
  return openProject({ ...projectOptions, agent: agent ?? folder });
}
