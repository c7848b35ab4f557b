import type { RunSettings } from '@agent-criteria/runner';
import type { LoadedProjectConfig } from './project-config.ts';

/** The settings of a run: the caller's, over the project's. */
export function withProjectSettings(options: RunSettings, loaded: LoadedProjectConfig | undefined): RunSettings {
  const { policies, signal, drain, onEvent } = options;
  const project: RunSettings = loaded?.settings ?? {};
  return {
    turnTimeout: options.turnTimeout ?? project.turnTimeout,
    caseTimeout: options.caseTimeout ?? project.caseTimeout,
    runTimeout: options.runTimeout ?? project.runTimeout,
    criterionTimeout: options.criterionTimeout ?? project.criterionTimeout,
    maskSecrets: options.maskSecrets ?? project.maskSecrets,
    environment: options.environment,
    alsoMasked: options.alsoMasked,
    redact: options.redact ?? project.redact,
    prices: options.prices ?? project.prices,
    concurrency: {
      agents: options.concurrency?.agents ?? project.concurrency?.agents,
      scoring: options.concurrency?.scoring ?? project.concurrency?.scoring,
    },
    policies,
    signal,
    drain,
    onEvent,
  };
}

/** Where a project keeps its runs, if it says so. */
export function projectRunsFolder({ settings }: LoadedProjectConfig): string | undefined {
  return settings.runsFolder;
}
