import { CriteriaError, didYouMean, type State } from '@agent-criteria/core';

/** Settings that all three specifications share, plus provider options. */
const KNOWN = [
  ...['temperature', 'topP', 'topK', 'maxOutputTokens', 'stopSequences', 'seed', 'presencePenalty'],
  ...['frequencyPenalty', 'headers', 'providerOptions', 'reasoning'],
];

/**
 * Reads settings for a call with the AI SDK. Most have Gemini's names, in either spelling. Rejects unknown settings,
 * because models would ignore them.
 *
 * @throws CriteriaError INVALID_OPTION or KEY_SPELT_TWICE.
 */
export function readSettings(settings: State): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    const name = key.replaceAll(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!KNOWN.includes(name)) {
      const message = `"${key}" is not a setting of the AI SDK${didYouMean(key, KNOWN)}; put provider-specific settings into "providerOptions"`;
      throw new CriteriaError({ code: 'INVALID_OPTION', message });
    }
    if (value === null) continue;
    if (Object.hasOwn(read, name)) {
      throw new CriteriaError({ code: 'KEY_SPELT_TWICE', message: `the settings have "${key}" in both spellings` });
    }
    read[name] = value;
  }
  return read;
}
