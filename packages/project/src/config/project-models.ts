import {
  CriteriaError,
  type LanguageModel,
  type ModelFunction,
  type ModelProvider,
  modelFromFunction,
} from '@agent-criteria/core';
import { DEFAULT_JUDGE_MODEL, type ModelLookup, type Registry } from '@agent-criteria/core/host';
import { explainUnknown } from '@agent-criteria/runner';
import type { LoadedProjectConfig } from './project-config.ts';

/** The name by which criteria request the judge model. */
const JUDGE = 'judge';

/** Returns the model named by a flag or a variable, which replaces every judge named in configs and cases. */
export function judgeForAll({ settings, origins }: LoadedProjectConfig): string | undefined {
  const { judgeModel: source } = origins;
  return source === 'flag' || source === 'environment' ? settings.judgeModel : undefined;
}

export interface ProjectModelsOptions {
  /** The caller's models, which are looked up first. */
  readonly given?: ModelLookup | undefined;
  /** The judge model to use instead of the project's: a name in its `models`, or one that a provider accepts. */
  readonly judgeModel?: string | undefined;
  /**
   * Whether answers come from recordings, so that unknown model names are accepted because they are never called.
   * Default `false`.
   */
  readonly recorded?: boolean | undefined;
}

/** The models that providers created for a project: one per name, shared by all its eval sets. */
const made = new WeakMap<LoadedProjectConfig, WeakMap<ModelProvider, Map<string, LanguageModel>>>();

/**
 * Looks up models by name: first among the caller's, then in the project's config, then with registered providers.
 * `judge` names the `judgeModel` from the caller, a flag or a variable, or else from the config, or else for the
 * default judge.
 */
export function projectModels(
  project: LoadedProjectConfig,
  registry: Registry,
  options: ProjectModelsOptions = {},
): ModelLookup {
  const { given, recorded = false } = options;
  const { models = {}, judgeModel: judge } = project.settings;
  const judgeModel = options.judgeModel ?? judgeForAll(project);

  const provided = (name: string): LanguageModel | undefined => {
    const provider = registry.list('model-provider').find((candidate) => candidate.accepts(name));
    if (provider === undefined) return recorded ? placeholder(name) : undefined;
    const ofProject = made.get(project) ?? new WeakMap<ModelProvider, Map<string, LanguageModel>>();
    made.set(project, ofProject);
    const byName = ofProject.get(provider) ?? new Map<string, LanguageModel>();
    ofProject.set(provider, byName);
    const model = byName.get(name) ?? provider.create(name, {});
    byName.set(name, model);
    return model;
  };
  const called = (name: string): LanguageModel | undefined => {
    const value = given?.(name);
    if (value !== undefined) return value;
    const own = Object.hasOwn(models, name) ? models[name] : undefined;
    if (typeof own === 'object') return own;
    if (typeof own === 'function') return ofFunction(name, own);
    return own === undefined ? provided(name) : (given?.(own) ?? provided(own));
  };
  /** Looks up a named judge. One that no provider has is never replaced by the default judge. */
  const named = (name: string): LanguageModel => {
    const own = Object.hasOwn(models, name) ? models[name] : undefined;
    return called(name) ?? unknown(typeof own === 'string' ? own : name, registry, Object.keys(models));
  };
  return (name) => {
    if (name !== JUDGE) return called(name);
    // A flag overrides everything, but the caller's models override a file.
    if (judgeModel !== undefined) return named(judgeModel);
    const own = given?.(JUDGE);
    if (own !== undefined) return own;
    if (judge !== undefined) return named(judge);
    return Object.hasOwn(models, JUDGE) ? named(JUDGE) : called(DEFAULT_JUDGE_MODEL);
  };
}

const functions = new WeakMap<ModelFunction, LanguageModel>();

/** Creates one model per function. */
function ofFunction(name: string, answer: ModelFunction): LanguageModel {
  const model = functions.get(answer) ?? modelFromFunction(name, answer);
  functions.set(answer, model);
  return model;
}

/** Returns a placeholder whose access check explains why the name is unknown. */
function unknown(name: string, registry: Registry, names: readonly string[]): LanguageModel {
  const message = explainUnknown({ kind: 'model', name, configured: names }, registry);
  const problem = { code: 'UNKNOWN_MODEL' as const, message };
  return {
    id: name,
    access: () => ({ service: 'no provider', credentials: null, problems: [problem] }),
    generate: () => Promise.reject(new CriteriaError(problem)),
  };
}

const placeholders = new WeakSet<LanguageModel>();

/** Whether a model is only a placeholder, whose answers are recorded: see `recorded`. */
export function isPlaceholderModel(model: LanguageModel): boolean {
  return placeholders.has(model);
}

/** Creates a placeholder, whose id is enough to look up recorded answers. */
function placeholder(id: string): LanguageModel {
  const model: LanguageModel = {
    id,
    async generate() {
      const message = `the model "${id}" is only available through its recorded answers: no provider for it is registered`;
      throw new CriteriaError({ code: 'RECORDING_MISSING', message });
    },
  };
  placeholders.add(model);
  return model;
}
