import type { Range } from '@agent-criteria/core';
import { type CriterionResult, formatScore } from '@agent-criteria/core/host';

export { formatTime } from '@agent-criteria/results/text';

/** Formats a score as core does, or `–` if there is none. */
export function scoreText(value: number | null, threshold: number | null = null, reached: Range | null = null): string {
  return value === null ? '–' : formatScore(value, threshold, reached);
}

/** Formats a criterion's score so that it agrees with the verdict. In compat mode, returns ADK's number unchanged. */
export function resultText(
  { score, threshold, verdict, adkStatus }: CriterionResult,
  range: Range | null | undefined,
): string {
  return scoreText(score, threshold, verdict === 'passed' && adkStatus === undefined ? range : null);
}

/** Formats a number of tokens with at most three significant digits. */
export function formatTokens(tokens: number): string {
  return `${tokens.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 })} ${tokens === 1 ? 'token' : 'tokens'}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e5) / 10} MB`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Escapes invisible characters and bidi controls in a name, an id or code. */
export function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a time in the reader's locale. */
export function localTime(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
