import { resolve } from 'node:path';
import type { Json } from '@agent-criteria/core';
import type { Prices } from '@agent-criteria/results';
import { checkCallOptions } from './check-call-options.ts';
import type { ProjectBudget, ProjectConfig, ProjectRecording } from './define-config.ts';
import type { LoadedProjectConfig } from './project-config.ts';

/** Where a project keeps answers, from its config. */
const CACHE_FOLDER = '.agent-criteria/cache';

/** What stands before models and paid services, as a caller says it. It beats the project's config. */
export interface CallOptions {
  /** The folder of the cache, from the working folder; `false`: none. Default: the project's; without a config, none. */
  readonly cache?: false | string | undefined;
  /** Its file from the working folder. */
  readonly recording?: ProjectRecording | undefined;
  /** Each limit beats the project's of its kind. */
  readonly budget?: { readonly [Limit in keyof ProjectBudget]?: ProjectBudget[Limit] | undefined } | undefined;
  /** As of `ProjectLimits`, each beats the project's. */
  readonly calls?: number | undefined;
  readonly callTimeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** What models cost, for a budget. Default: the project's. */
  readonly prices?: Prices | undefined;
  /** Changes what is recorded, as the project's `redact` does. Default: that. */
  readonly redact?: ProjectConfig['redact'] | undefined;
}

/** What `callPolicies` of @agent-criteria/models takes. Paths are absolute. */
export interface CallSettings {
  readonly cache: { readonly folder: string } | null;
  readonly recording: {
    readonly file: string;
    readonly mode: 'auto' | 'record' | 'replay';
    readonly label?: string | undefined;
  } | null;
  readonly budget: NonNullable<CallOptions['budget']>;
  readonly concurrency: number | undefined;
  readonly timeout: number | undefined;
  readonly maxRetries: number | undefined;
  readonly requestsPerMinute: number | undefined;
  readonly tokensPerMinute: number | undefined;
  readonly prices: Prices | undefined;
  readonly redact: ((answer: Json) => Json) | undefined;
}

/**
 * What the caller says, over what the project says.
 * @throws CriteriaError USAGE as `checkCallOptions`.
 */
export function callSettings(project: LoadedProjectConfig, options: CallOptions = {}): CallSettings {
  checkCallOptions(options);
  const { limits = {}, budget = {} } = project.value;
  const { prices = project.value.prices, redact = project.value.redact, budget: own = {} } = options;
  return {
    cache: cacheOf(project, options.cache),
    recording: recordingOf(project, options.recording),
    budget: {
      maxCalls: own.maxCalls ?? budget.maxCalls,
      maxTokens: own.maxTokens ?? budget.maxTokens,
      maxCost: own.maxCost ?? budget.maxCost,
    },
    concurrency: options.calls ?? limits.calls,
    timeout: options.callTimeout ?? limits.callTimeout,
    maxRetries: options.maxRetries ?? limits.maxRetries,
    requestsPerMinute: options.requestsPerMinute ?? limits.requestsPerMinute,
    tokensPerMinute: options.tokensPerMinute ?? limits.tokensPerMinute,
    prices,
    redact: redact && ((answer) => redact(answer, 'call')),
  };
}

/** Whether every answer comes from a recording, so that no model has to be reached. */
export function replays(project: LoadedProjectConfig, recording?: ProjectRecording): boolean {
  return (recording ?? project.value.recording)?.mode === 'replay';
}

function cacheOf({ file, folder, value }: LoadedProjectConfig, given: CallOptions['cache']): CallSettings['cache'] {
  if (given !== undefined) return given === false ? null : { folder: resolve(given) };
  const own = value.cache ?? (file === null ? false : CACHE_FOLDER);
  return own === false ? null : { folder: resolve(folder, own) };
}

function recordingOf(
  { folder, value }: LoadedProjectConfig,
  given: ProjectRecording | undefined,
): CallSettings['recording'] {
  const recording = given ?? value.recording;
  if (recording === undefined) return null;
  const { mode = 'auto', file, label = value.recording?.label } = recording;
  return mode === 'off' ? null : { mode, label, file: given === undefined ? resolve(folder, file) : resolve(file) };
}
