import type { RunListing } from '@agent-criteria/runner';
import { type App, appOfAgent } from '../apps/app.ts';

type Agents = Pick<RunListing, 'agent' | 'variants'>;

/** Returns the agents of a run: one, or those of its variants, taken apart from the text `a=agent.ts, b=other.ts`. */
export function agentsOfRun({ agent, variants = [] }: Agents): readonly string[] {
  const starts: number[] = [];
  for (const variant of variants) {
    const start = starts.length === 0 ? 0 : agent.indexOf(`, ${variant}=`, starts.at(-1)) + 2;
    if (!agent.startsWith(`${variant}=`, start)) return [agent];
    starts.push(start);
  }
  if (starts.length === 0) return [agent];
  return starts.map((start, index) => {
    const end = starts[index + 1];
    return agent.slice(start + (variants[index]?.length ?? 0) + 1, end === undefined ? undefined : end - 2);
  });
}

/** Finds the app that a run belongs to: the first one that has an agent of it. */
export function appOfRun(apps: readonly App[], run: Agents): App | null {
  for (const agent of agentsOfRun(run)) {
    const app = appOfAgent(apps, agent);
    if (app !== null) return app;
  }
  return null;
}
