import type { Plan } from '@agent-criteria/core/host';
import type { Project } from '../config/open-project.ts';

/** A paid service, other than a model, that criteria use. Contains only what is known without calling it. */
export interface CheckedService {
  readonly service: string;
  /** The source of the key, never the key itself; `null` if there is none. */
  readonly credentials: string | null;
  readonly askedBy: readonly string[];
  /** Whether its answers come from a recording, so that it is not called. */
  readonly recorded: boolean;
  /** Whether nothing is missing. Problems are reported with the eval sets that need the service. */
  readonly usable: boolean;
}

/** Lists the services that these plans use, each once per set of credentials. */
export function checkServices(
  plans: readonly Plan[],
  { environment }: Pick<Project, 'environment'>,
  recorded: boolean,
): readonly CheckedService[] {
  const found = new Map<string, CheckedService>();
  for (const { criteria } of plans) {
    for (const { name, criterion, options, caseOptions } of criteria) {
      for (const own of new Set([options, ...caseOptions.values()])) {
        const access = criterion.access?.(own, environment.variables);
        if (access === undefined) continue;
        const { service, credentials, problems } = access;
        const key = JSON.stringify([service, credentials]);
        const askedBy = new Set(found.get(key)?.askedBy).add(name);
        found.set(key, { service, credentials, askedBy: [...askedBy], recorded, usable: problems.length === 0 });
      }
    }
  }
  return [...found.values()];
}
