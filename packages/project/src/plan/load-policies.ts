import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import type { CallPolicies, Plan } from '@agent-criteria/core/host';
import { installLine } from '@agent-criteria/runner';
import { type CallOptions, type CallSettings, callSettings } from '../config/call-settings.ts';
import { type LoadedProjectConfig, withoutProjectConfig } from '../config/project-config.ts';
import { describeLoadError, importFrom, resolveFrom } from '../files/import-module.ts';
import { makesCalls, plannedModels } from './planned-models.ts';

const MODELS = '@agent-criteria/models';

/**
 * The call policies for the models and paid services of these plans, from the project's @agent-criteria/models;
 * `undefined` if nothing will be called, or if the package is not installed and not needed.
 *
 * @param options Overrides the project.
 * @throws CriteriaError as `callPolicies` does, and for a cost limit without a known price; INVALID_PLUGIN if a budget,
 *   a recording or a cache is needed but the package is missing or does not load.
 */
export async function loadPolicies(
  plans: readonly Plan[],
  project: LoadedProjectConfig = withoutProjectConfig(),
  options: CallOptions = {},
): Promise<CallPolicies | undefined> {
  // Mistakes are reported even where nothing makes a call.
  const settings = callSettings(project, options);
  if (!plans.some(makesCalls)) return undefined;
  const folder = await folderWithModels([project.folder, '.', ...ownFolder()]);
  if (folder === undefined) {
    const asked = askedFor(settings, project, options);
    if (asked === null) return undefined;
    throw refused(`${asked} needs ${MODELS}: ${installLine(MODELS)}`);
  }
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await importFrom(MODELS, folder);
  } catch (error) {
    throw refused(`${MODELS} does not load: ${describeLoadError(error)}`, error);
  }
  const { callPolicies, checkBudget } = loaded as Partial<Models>;
  if (typeof callPolicies !== 'function' || typeof checkBudget !== 'function') {
    throw refused(`this version of ${MODELS} is not compatible: ${installLine(MODELS)}@latest`);
  }
  const ids = plannedModels(plans).map(({ model }) => model.id);
  const problems = checkBudget(settings, settings.prices, ids);
  if (problems.length > 0) throw new CriteriaError(problems);
  return callPolicies(settings);
}

/** What is needed of @agent-criteria/models. */
interface Models {
  callPolicies(settings: CallSettings): Promise<CallPolicies>;
  checkBudget(limits: CallSettings, prices: CallSettings['prices'], ids: readonly string[]): readonly Problem[];
}

function ownFolder(): readonly string[] {
  // In a CommonJS bundle there is no such URL.
  const url: string | undefined = import.meta.url;
  return url === undefined ? [] : [dirname(fileURLToPath(url))];
}

async function folderWithModels(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if ((await resolveFrom(MODELS, folder)) !== undefined) return folder;
  return undefined;
}

/** What would be passed over without a word. */
function askedFor(settings: CallSettings, project: LoadedProjectConfig, options: CallOptions): string | null {
  const { recording, maxCalls, maxTokens, maxCost } = settings;
  if (recording !== undefined) return 'a recording';
  if ([maxCalls, maxTokens, maxCost].some((limit) => limit !== undefined)) return 'a budget';
  return typeof (options.cache ?? project.settings.cache) === 'string' ? 'a cache' : null;
}

function refused(message: string, cause?: unknown): CriteriaError {
  return new CriteriaError({ code: 'INVALID_PLUGIN', message }, { cause });
}

/** What stands before the calls of a run that somebody starts from files and names. */
export interface PolicySource {
  /** The caller's own, who closes them. */
  readonly policies?: CallPolicies | undefined;
  readonly project?: LoadedProjectConfig | undefined;
  readonly calls?: CallOptions | undefined;
}

/** Works under the caller's policies, or under the project's, which are closed afterwards; adds what they have to tell. */
export async function withPolicies<Outcome extends { readonly warnings: readonly Problem[] }>(
  plans: readonly Plan[],
  { policies, project, calls }: PolicySource,
  work: (policies: CallPolicies | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  if (policies !== undefined) return work(policies);
  const own = await loadPolicies(plans, project, calls);
  let told: readonly Problem[] = [];
  let outcome: Outcome;
  try {
    outcome = await work(own);
  } finally {
    told = (await own?.close()) ?? [];
  }
  return told.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, ...told] };
}
