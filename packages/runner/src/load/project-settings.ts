import { resolve } from 'node:path';
import type { RunSettings } from '../settings.ts';
import type { LoadedProjectConfig } from './project-config.ts';

/** What a project says of how runs go: to be overlaid by flags and options. */
export function projectSettings(
  project: LoadedProjectConfig,
): Pick<RunSettings, 'concurrency' | 'turnTimeout' | 'caseTimeout' | 'runTimeout' | 'redact' | 'prices'> {
  const { limits = {}, redact, prices } = project.value;
  const { agents, scoring, turnTimeout, caseTimeout, runTimeout } = limits;
  return { concurrency: { agents, scoring }, turnTimeout, caseTimeout, runTimeout, redact, prices };
}

/** What the caller says, over what the project says. */
export function withProjectSettings(options: RunSettings, loaded: LoadedProjectConfig | undefined): RunSettings {
  const project: RunSettings = loaded === undefined ? {} : projectSettings(loaded);
  const { turnTimeout, caseTimeout, runTimeout, redact, prices, policies, concurrency } = options;
  const { signal, drain, onEvent } = options;
  return {
    turnTimeout: turnTimeout ?? project.turnTimeout,
    caseTimeout: caseTimeout ?? project.caseTimeout,
    runTimeout: runTimeout ?? project.runTimeout,
    redact: redact ?? project.redact,
    prices: prices ?? project.prices,
    concurrency: {
      agents: concurrency?.agents ?? project.concurrency?.agents,
      scoring: concurrency?.scoring ?? project.concurrency?.scoring,
    },
    ...{ policies, signal, drain, onEvent },
  };
}

/** Where a project keeps its runs, if it says so. */
export function projectRunsFolder(project: LoadedProjectConfig): string | undefined {
  const { runsFolder } = project.value;
  return runsFolder === undefined ? undefined : resolve(project.folder, runsFolder);
}
