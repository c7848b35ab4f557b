import { CriteriaError, didYouMean, type ModelRequest, type State } from '@agent-criteria/core';
import type { Content, GenerateContentConfig, Part } from '@google/genai';

/** Fields of a `GenerateContentConfig` that JSON can represent. */
const KNOWN = [
  ...(['httpOptions', 'serviceTier', 'systemInstruction', 'temperature', 'topP', 'topK', 'candidateCount'] as const),
  ...(['maxOutputTokens', 'stopSequences', 'responseLogprobs', 'logprobs', 'presencePenalty'] as const),
  ...(['frequencyPenalty', 'seed', 'responseMimeType', 'responseSchema', 'responseJsonSchema'] as const),
  ...(['routingConfig', 'modelSelectionConfig', 'safetySettings', 'tools', 'toolConfig', 'labels'] as const),
  ...(['cachedContent', 'responseModalities', 'mediaResolution', 'speechConfig', 'audioTimestamp'] as const),
  ...(['automaticFunctionCalling', 'thinkingConfig', 'audioTranscriptionConfig', 'imageConfig'] as const),
  ...(['enableEnhancedCivicAnswers', 'modelArmorConfig', 'continuationToken', 'automaticContinuation'] as const),
  ...(['generationOutputConfig', 'store'] as const),
] satisfies readonly (keyof GenerateContentConfig)[];

const known: ReadonlySet<string> = new Set(KNOWN);

/** Fields whose keys belong to the user. */
const own: ReadonlySet<string> = new Set([
  ...['labels', 'headers', 'extraBody', 'responseJsonSchema', 'parametersJsonSchema', 'args', 'partMetadata'],
  ...['default', 'example', 'enum'],
]);

/** The maximum nesting of a config. */
const DEPTH_LIMIT = 60;

/**
 * Reads a `GenerateContentConfig` as users write it, such as the `judge_model_config` in ADK's files. Keys in
 * snake_case or camelCase are converted to the SDK's; the user's own maps are copied unchanged.
 *
 * @throws CriteriaError INVALID_OPTION or KEY_SPELT_TWICE.
 */
export function readSettings(settings: State): GenerateContentConfig {
  const config = respelt(settings, 0, 'the settings of the model') as Record<string, unknown>;
  for (const name of Object.keys(config)) {
    if (!known.has(name)) refuse(`"${name}" is not a setting of Gemini${didYouMean(name, KNOWN)}`);
  }
  const { baseUrl, timeout } = (config.httpOptions ?? {}) as Readonly<Record<string, unknown>>;
  if (baseUrl !== undefined) {
    refuse(
      'the settings of a model cannot set its address, because the key is sent there; set GOOGLE_GEMINI_BASE_URL or GOOGLE_VERTEX_BASE_URL, or the option baseUrl of geminiModel',
    );
  }
  if (timeout !== undefined) checkTimeout(timeout);
  return config;
}

/**
 * Checks a timeout.
 *
 * @param given The value as the user wrote it.
 * @throws CriteriaError INVALID_OPTION for anything but a positive number of milliseconds.
 */
export function checkTimeout(timeout: unknown, given: unknown = timeout): void {
  if (Number.isFinite(timeout) && Number(timeout) > 0) return;
  refuse(
    `the timeout of a model is a positive number of milliseconds, or a duration such as "90s", not ${JSON.stringify(given)}`,
  );
}

/**
 * Builds the config of one call. The user's settings override the request, with two exceptions: the system instruction
 * is added to the request's, and the answer format is kept, because the caller could not read any other.
 */
export function configOf(request: ModelRequest, settings: GenerateContentConfig): GenerateContentConfig {
  const { system, schema, temperature, seed, maxOutputTokens } = request;
  const { httpOptions: _httpOptions, responseSchema, responseJsonSchema, responseMimeType, ...rest } = settings;
  const form =
    schema === undefined
      ? present({ responseSchema, responseJsonSchema, responseMimeType })
      : { responseMimeType: 'application/json', responseJsonSchema: schema };
  return {
    ...present({ temperature, seed, maxOutputTokens }),
    // One call is one request: additional requests by the SDK would be neither counted nor limited.
    automaticContinuation: false,
    ...rest,
    ...form,
    ...(system === undefined ? {} : { systemInstruction: instruction(system, settings.systemInstruction) }),
    automaticFunctionCalling: { disable: true },
  };
}

type Instruction = NonNullable<GenerateContentConfig['systemInstruction']>;

function instruction(system: string, added: Instruction | undefined): Instruction {
  if (added === undefined) return system;
  return [system, ...(Array.isArray(added) ? added : [added]).flatMap(partsOf)];
}

function partsOf(one: Content | Part | string): (Part | string)[] {
  return typeof one === 'object' && 'parts' in one ? ((one as Content).parts ?? []) : [one as Part | string];
}

/** Removes `undefined` fields, because the SDK looks at the keys of some objects. */
export function present<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

function respelt(value: unknown, depth: number, place: string): unknown {
  if (depth > DEPTH_LIMIT) refuse(`${place} is nested deeper than ${DEPTH_LIMIT} levels`);
  if (Array.isArray(value)) return value.map((item) => respelt(item, depth + 1, place));
  if (typeof value !== 'object' || value === null) return value;
  const read: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const name = key.replaceAll(/(?<=[a-z\d])_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
    if (key === '__proto__') refuse(`${place} has a key "__proto__"`);
    if (Object.hasOwn(read, name)) {
      throw new CriteriaError({ code: 'KEY_SPELT_TWICE', message: `${place} has "${key}" in both spellings` });
    }
    if (field === null) continue;
    if (own.has(name)) read[name] = structuredClone(field);
    else if (name === 'properties') read[name] = propertiesOf(field, depth + 1, place);
    else read[name] = respelt(field, depth + 1, `"${name}" of the settings`);
  }
  return read;
}

/** Respells the schemas of properties, but not the property names, which belong to the user. */
function propertiesOf(value: unknown, depth: number, place: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return respelt(value, depth, place);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, respelt(schema, depth + 1, place)]));
}

function refuse(message: string): never {
  throw new CriteriaError({ code: 'INVALID_OPTION', message });
}
