import { type Answer, type Asked, fittingAnswer, isFault, type Said, sampleCounter, usageOf } from './answers.ts';
import { type Fault, googleError } from './faults.ts';
import { type FakeServer, type SeenRequest, type ServerOptions, startServer } from './http-server.ts';

export interface FakeGeminiOptions extends ServerOptions {
  /** The model. Default: an answer that matches the schema. */
  readonly answer?: Answer;
  /** The required API key. Default `test-key`. */
  readonly key?: string;
  /** The bearer token required on the paths of Vertex AI. Default `test-token`. */
  readonly token?: string;
  /** The available models. Default `gemini-2.5-flash`, `gemini-2.5-pro` and `gemini-3.5-flash`. */
  readonly models?: readonly string[];
}

const route =
  /^\/(v1beta1|v1beta|v1)\/(?:projects\/[^/]+\/locations\/[^/]+\/)?(publishers\/google\/)?models\/([^/:?]+):generateContent(?:\?.*)?$/;

/** The fields that the service knows; proto JSON accepts either spelling. */
const topLevel = new Set([
  ...['contents', 'systemInstruction', 'generationConfig', 'safetySettings', 'tools', 'toolConfig', 'labels'],
  ...['cachedContent', 'serviceTier', 'store', 'model', 'modelArmorConfig'],
]);
const generationConfig = new Set([
  ...['temperature', 'topP', 'topK', 'seed', 'candidateCount', 'maxOutputTokens', 'stopSequences'],
  ...['responseMimeType', 'responseSchema', 'responseJsonSchema', 'responseLogprobs', 'logprobs'],
  ...['presencePenalty', 'frequencyPenalty', 'responseModalities', 'mediaResolution', 'speechConfig'],
  ...['thinkingConfig', 'imageConfig', 'routingConfig', 'audioTimestamp', 'enableEnhancedCivicAnswers'],
]);

/**
 * Starts a fake Gemini: the developer API, Vertex AI and its express mode in one server, distinguished by path. It
 * rejects the same requests as the services: a missing or wrong key, an unknown model, and unknown fields.
 */
export function startFakeGemini(options: FakeGeminiOptions = {}): Promise<FakeServer> {
  const { key = 'test-key', token = 'test-token', answer = fittingAnswer() } = options;
  const models = options.models ?? ['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-3.5-flash'];
  const counted = sampleCounter();

  return startServer(options, async (request): Promise<Fault> => {
    const [, version, publisher, model] = route.exec(request.path) ?? [];
    const vertex = publisher !== undefined;
    if (request.method !== 'POST' || model === undefined || version === (vertex ? 'v1beta' : 'v1beta1')) {
      return { status: 404, body: `<html><title>Error 404 (Not Found)!!1</title>${request.path}</html>` };
    }
    const refused = notAllowed(request, key, token) ?? notServed(models, model, vertex) ?? notUnderstood(request.body);
    if (refused !== null) return refused;
    const asked = counted(question(request.body as Body, model));
    const said = await answer(asked);
    return isFault(said)
      ? said
      : { status: 200, body: response(asked, typeof said === 'string' ? { text: said } : said) };
  });
}

function notAllowed({ headers, path }: SeenRequest, key: string, token: string): Fault | null {
  const given = headers['x-goog-api-key'];
  if (given === key || headers.authorization === `Bearer ${token}`) return null;
  if (given !== undefined) {
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
    return googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [info]);
  }
  if (headers.authorization !== undefined || path.includes('/projects/')) {
    return googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
  }
  return googleError(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers. Please use API Key.");
}

function notServed(models: readonly string[], model: string, vertex: boolean): Fault | null {
  if (models.includes(model)) return null;
  const message = vertex
    ? `Publisher Model \`publishers/google/models/${model}\` was not found or your project does not have access to it.`
    : `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`;
  return googleError(404, 'NOT_FOUND', message);
}

interface Body {
  readonly contents?: readonly Message[];
  readonly systemInstruction?: Message;
  readonly generationConfig?: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly parts?: readonly { readonly text?: string }[];
}

function notUnderstood(body: unknown): Fault | null {
  if (typeof body !== 'object' || body === null) return invalid('Invalid JSON payload received. Unexpected token.');
  const { contents, generationConfig: config = {} } = body as Body;
  for (const [fields, known, place] of [
    [body, topLevel, ''],
    [config, generationConfig, " at 'generation_config'"],
  ] as const) {
    const unknown = Object.keys(fields).find((name) => !known.has(camelCase(name)));
    if (unknown !== undefined) {
      return invalid(`Invalid JSON payload received. Unknown name "${unknown}"${place}: Cannot find field.`);
    }
  }
  if (contents === undefined || contents.length === 0) {
    return invalid('* GenerateContentRequest.contents: contents is not specified');
  }
  if (schemaOf(config) !== null && config.responseMimeType !== 'application/json') {
    return invalid('For controlled generation of objects, response_mime_type must be set to `application/json`.');
  }
  return null;
}

function invalid(message: string): Fault {
  return googleError(400, 'INVALID_ARGUMENT', message);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function schemaOf(config: Readonly<Record<string, unknown>>): object | null {
  return (config.responseJsonSchema ?? config.responseSchema ?? null) as object | null;
}

function question(body: Body, model: string): Omit<Asked, 'sample'> {
  const textOf = (message: Message | undefined): string =>
    (message?.parts ?? []).map((part) => part.text ?? '').join('\n');
  const text = (body.contents ?? []).map(textOf).join('\n');
  return { model, system: textOf(body.systemInstruction), text, schema: schemaOf(body.generationConfig ?? {}) };
}

const finishReasons: Readonly<Record<string, string>> = { stop: 'STOP', length: 'MAX_TOKENS', blocked: 'SAFETY' };

function response(asked: Asked, said: Said): object {
  const usage = usageOf(asked, said);
  const parts = [
    ...(said.thoughts === undefined ? [] : [{ text: said.thoughts, thought: true }]),
    ...(said.text === undefined || said.text === '' ? [] : [{ text: said.text }]),
  ];
  const finish = said.finish ?? 'stop';
  const candidate = {
    content: { role: 'model', ...(parts.length === 0 ? {} : { parts }) },
    finishReason: finishReasons[finish] ?? finish,
    index: 0,
  };
  return {
    ...(said.blockReason === undefined ? {} : { promptFeedback: { blockReason: said.blockReason } }),
    ...(said.blockReason === undefined && said.empty !== true ? { candidates: [candidate] } : {}),
    ...(usage === null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.input,
            ...(usage.cachedInput > 0 ? { cachedContentTokenCount: usage.cachedInput } : {}),
            candidatesTokenCount: usage.output - usage.reasoning,
            ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
            totalTokenCount: usage.input + usage.output,
          },
        }),
    modelVersion: asked.model,
    responseId: 'test-response',
  };
}
