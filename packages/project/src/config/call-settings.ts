import { resolve } from 'node:path';
import { CriteriaError, type Json } from '@agent-criteria/core';
import { callDefaults } from '@agent-criteria/models/defaults';
import type { RunSettings } from '@agent-criteria/runner';
import type { LoadedProjectConfig } from './project-config.ts';
import { mistakesInSettings } from './settings/check-settings.ts';
import { overlaySettings } from './settings/setting-values.ts';
import type { SettingName, Settings } from './settings/settings-type.ts';

/**
 * Settings for calls to models and paid services, which override those of the project. Paths are relative to the
 * working folder.
 */
export interface CallOptions
  extends Pick<
    Settings,
    | 'cache'
    | 'callTimeout'
    | 'maxCalls'
    | 'maxCost'
    | 'maxRetries'
    | 'maskSecrets'
    | 'maxTokens'
    | 'prices'
    | 'recording'
    | 'redact'
    | 'requestsPerMinute'
    | 'tokensPerMinute'
  > {
  readonly concurrency?: Pick<NonNullable<Settings['concurrency']>, 'calls'> | undefined;
}

/** The options of `callPolicies` from @agent-criteria/models. Paths are absolute. */
export interface CallSettings extends Omit<CallOptions, 'cache' | 'recording' | 'redact'> {
  readonly cache: false | string;
  readonly recording:
    | {
        readonly file: string;
        readonly mode: 'auto' | 'record' | 'replay';
        readonly label?: string | undefined;
      }
    | undefined;
  readonly redact: ((answer: Json) => Json) | undefined;
}

/**
 * Overlays the project's call settings with the caller's.
 * @throws CriteriaError USAGE as for `checkCallOptions`; USAGE or INVALID_CONFIG for a recording without a file.
 */
export function callSettings(project: LoadedProjectConfig, options: CallOptions = {}): CallSettings {
  checkCallOptions(options);
  const all = overlaySettings(project.settings, options);
  const { callTimeout, maxRetries, requestsPerMinute, tokensPerMinute, maxCalls, maxTokens, maxCost, redact } = all;
  return {
    cache: cacheOf(project, all.cache),
    recording: recordingOf(all.recording, project),
    concurrency: { calls: all.concurrency?.calls },
    callTimeout,
    maxRetries,
    requestsPerMinute,
    tokensPerMinute,
    maxCalls,
    maxTokens,
    maxCost,
    prices: all.prices,
    maskSecrets: all.maskSecrets,
    redact: redact && ((answer) => redact(answer, 'call')),
  };
}

/** Whether all answers come from a recording, so that no model needs to be reachable. */
export function isReplayOnly(project: LoadedProjectConfig, { recording }: CallOptions = {}): boolean {
  return (recording?.mode ?? project.settings.recording?.mode) === 'replay';
}

function cacheOf({ file, folder }: LoadedProjectConfig, set: Settings['cache']): false | string {
  const cache = set ?? (file === null ? false : resolve(folder, callDefaults.cache));
  return cache === false ? false : resolve(cache);
}

function recordingOf(
  set: Settings['recording'],
  { file: configFile, origins }: LoadedProjectConfig,
): CallSettings['recording'] {
  const { file, mode = 'auto', label } = set ?? {};
  if (mode === 'off') return undefined;
  if (file !== undefined) return { mode, label, file: resolve(file) };
  if (set?.mode === undefined && label === undefined) return undefined;
  const message = 'name the file of the recording: recording.file in the config, or --recording FILE:MODE';
  const source = origins['recording.mode'] ?? origins['recording.label'];
  if (source === 'flag' || source === 'environment') {
    const where = source === 'flag' ? '--recording' : 'AGENT_CRITERIA_RECORDING';
    throw new CriteriaError({ code: 'USAGE', message: `${where}: ${message}` });
  }
  throw new CriteriaError({
    code: 'INVALID_CONFIG',
    path: '$.recording',
    message,
    ...(configFile === null ? {} : { file: configFile }),
  });
}

/** Fills in call options from the options of the run, unless the caller sets them. */
export function callsOver(
  { prices, redact, maskSecrets }: Pick<RunSettings, 'prices' | 'redact' | 'maskSecrets'>,
  calls: CallOptions = {},
): CallOptions {
  return {
    ...calls,
    prices: calls.prices ?? prices,
    redact: calls.redact ?? redact,
    maskSecrets: calls.maskSecrets ?? maskSecrets,
  };
}

/** The settings for calls to models and paid services. */
export const callSettingNames = [
  'concurrency.calls',
  'callTimeout',
  'maxRetries',
  'requestsPerMinute',
  'tokensPerMinute',
  'maxCalls',
  'maxTokens',
  'maxCost',
  'cache',
  'recording.file',
  'recording.mode',
  'recording.label',
  'prices',
  'maskSecrets',
  'redact',
] as const satisfies readonly SettingName[];

/**
 * Rejects unknown keys and invalid values.
 * @throws CriteriaError USAGE, listing every mistake.
 */
export function checkCallOptions(options: unknown): void {
  const mistakes = mistakesInSettings(options, 'calls', callSettingNames);
  if (mistakes.length === 0) return;
  throw new CriteriaError(mistakes.map(([path, message]) => ({ code: 'USAGE', message: `${path}: ${message}` })));
}
