import { CriteriaError, type LanguageModel, type Plugin, type Problem, type Tools } from '@agent-criteria/core';
import { createRegistry, type ModelLookup, type Registry } from '@agent-criteria/core/host';
import { explainUnknown } from '@agent-criteria/runner';
import { callSettings, isReplayOnly } from './call-settings.ts';
import { loadProviders } from './load-registry.ts';
import type { Project } from './open-project.ts';
import { projectModels } from './project-models.ts';

/** Looks up a project's models, with its own providers, those that are installed, and those of the application. */
export async function modelsOfProject(project: Project): Promise<ModelLookup> {
  return projectModels(project.config, await providersOf(project));
}

async function providersOf({ config, builtIn }: Project): Promise<Registry> {
  const providers: Plugin[] = [];
  const installed = await loadProviders([config.folder, '.']).catch(() => []);
  for (const plugin of [...config.plugins, ...installed, ...((await builtIn?.providers?.()) ?? [])]) {
    const isPresent = providers.some(({ name }) => name === plugin.name);
    if (plugin.kind === 'model-provider' && !isPresent) providers.push(plugin);
  }
  return createRegistry(providers);
}

/** A model outside a run, under the project's cache, recording, limits and budget. */
export interface OpenedModel {
  readonly model: LanguageModel;
  /** Closes the cache and the recording, and returns their warnings. */
  close(): Promise<readonly Problem[]>;
}

export interface OpenModelOptions {
  /** The model's name: one in the project's config, or one that a provider accepts. */
  readonly name: string;
  /** The purpose of the calls, as recordings and reports show it. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/**
 * Opens a model for calls outside a run.
 * @throws CriteriaError UNKNOWN_MODEL; the requirements that the model lacks, such as a key, unless all answers are
 *   recorded; and the errors of recording, cache and budget.
 */
export async function openModel(project: Project, { name, purpose, signal }: OpenModelOptions): Promise<OpenedModel> {
  const { config, environment, cacheFolder } = project;
  const recorded = isReplayOnly(config);
  const registry = await providersOf(project);
  const found = projectModels(config, registry, { recorded })(name);
  if (found === undefined) {
    const message = explainUnknown(
      { kind: 'model', name, configured: Object.keys(config.settings.models ?? {}) },
      registry,
    );
    throw new CriteriaError({ code: 'UNKNOWN_MODEL', message });
  }
  const models = await import('@agent-criteria/models');
  const settings = callSettings(config, { cache: config.settings.cache ?? cacheFolder });
  const problems = [
    ...(recorded ? [] : (found.access?.(environment.variables).problems ?? [])),
    ...models.checkBudget(settings, settings.prices, [found.id]),
  ];
  if (problems.length > 0) throw new CriteriaError(problems);
  const policies = await models.callPolicies(settings);
  const call = async () => {
    throw new CriteriaError({ code: 'NOT_SUPPORTED', message: 'only models can be called outside a run' });
  };
  const tools: Tools = { signal, compat: null, model: () => found, call };
  const key = { setId: purpose, caseId: purpose, repeat: 0 };
  const caller = { role: 'user', key, name: purpose, turn: null } as const;
  return { model: policies.apply(tools, caller).model(name), close: () => policies.close() };
}
