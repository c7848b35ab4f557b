import { resolve, sep } from 'node:path';
import type { App } from './app.ts';

/** The app in whose folder the agent of a run is, as the run names it: the innermost; `null`: it is of none. */
export function appOfAgent(apps: readonly App[], agent: string): App | null {
  const file = resolve(agent.replace(/#[^#/\\]*$/, ''));
  const holding = apps.filter(
    (app) => app.agent === agent || file === app.folder || file.startsWith(`${app.folder}${sep}`),
  );
  return holding.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? null;
}
