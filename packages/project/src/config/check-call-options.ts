import { CriteriaError } from '@agent-criteria/core';
import { mistakesInSettings } from './settings/check-settings.ts';
import type { SettingName } from './settings/settings-type.ts';

/** The settings of calls to models and paid services. */
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
 * Refuses what a caller cannot have meant: keys that nothing reads, and values that do not fit.
 * @throws CriteriaError USAGE with every mistake.
 */
export function checkCallOptions(options: unknown): void {
  const mistakes = mistakesInSettings(options, 'calls', callSettingNames);
  if (mistakes.length === 0) return;
  throw new CriteriaError(mistakes.map(([path, message]) => ({ code: 'USAGE', message: `${path}: ${message}` })));
}
