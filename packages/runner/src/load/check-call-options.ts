import { CriteriaError, didYouMean, type Problem } from '@agent-criteria/core';
import type { CallOptions } from './call-settings.ts';

const KEYS: Readonly<Record<keyof CallOptions, true>> = {
  ...{ cache: true, recording: true, concurrency: true, callTimeout: true, maxRetries: true, requestsPerMinute: true },
  ...{ tokensPerMinute: true, maxCalls: true, maxTokens: true, maxCost: true, prices: true, redact: true },
};
const CONCURRENCY: Readonly<Record<keyof NonNullable<CallOptions['concurrency']>, true>> = { calls: true };
const RECORDING: Readonly<Record<keyof NonNullable<CallOptions['recording']>, true>> = {
  ...{ file: true, mode: true, label: true },
};

/**
 * Refuses what a caller cannot have meant: keys that nothing reads, and paths and lists that are none. Numbers are checked where they
 * are used.
 * @throws CriteriaError USAGE with every mistake.
 */
export function checkCallOptions(options: unknown): void {
  const problems = [...unknownKeys(options, KEYS, 'calls')];
  if (isObject(options)) {
    const { cache, recording, concurrency } = options;
    if (cache !== undefined && cache !== false && (typeof cache !== 'string' || cache.trim() === ''))
      problems.push(wrong(`calls.cache must be the path of a folder, or false for none, not ${shown(cache)}`));
    if (concurrency !== undefined) problems.push(...unknownKeys(concurrency, CONCURRENCY, 'calls.concurrency'));
    if (recording !== undefined) {
      problems.push(...unknownKeys(recording, RECORDING, 'calls.recording'));
      if (isObject(recording) && recording.file !== undefined && typeof recording.file !== 'string')
        problems.push(wrong(`calls.recording.file must be the path of a file, not ${shown(recording.file)}`));
    }
  }
  if (problems.length > 0) throw new CriteriaError(problems);
}

function unknownKeys(value: unknown, known: Readonly<Record<string, true>>, name: string): readonly Problem[] {
  const names = Object.keys(known);
  if (!isObject(value)) return [wrong(`${name} must be an object with ${names.join(', ')}, not ${shown(value)}`)];
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => {
      const hint = didYouMean(key, names) || `; it may have ${names.join(', ')}`;
      return wrong(`${name} has the unknown key "${key}"${hint}`);
    });
}

function wrong(message: string): Problem {
  return { code: 'USAGE', message };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? 'undefined');
}
