import {
  errorWords,
  inTime,
  isHtml,
  noAnswerWithin,
  pageInWords,
  untilAborted,
  withoutMetadataWarning,
} from '@agent-criteria/calls';
import type { Json } from '@agent-criteria/core';
import { secretMask } from '@agent-criteria/masking';

/**
 * Sends the body of a `v1beta1` `evaluateInstances` request and returns the JSON of the answer. Rejects when the signal
 * aborts, and with an error that has a `status` if the service rejects the request. It makes a single attempt.
 * Implement it to use your own credentials.
 */
export type EvaluationTransport = (body: Json, signal: AbortSignal) => Promise<unknown>;

const GOOGLE = 'https://aiplatform.googleapis.com';

/** Creates a transport in express mode: the key determines project and location. */
export function apiKeyTransport(apiKey: string, apiEndpoint: string = GOOGLE): EvaluationTransport {
  const url = `${apiEndpoint.replace(/\/+$/, '')}/v1beta1:evaluateInstances`;
  return (body, signal) => {
    const headers = new Headers({ 'content-type': 'application/json', 'x-goog-api-key': apiKey });
    return postRequest(url, body, headers, signal);
  };
}

interface ClientTransportOptions {
  readonly project: string;
  readonly location: string;
  readonly apiEndpoint?: string | undefined;
}

/** The parts of Google's client that are used: the service's address and credentials. */
interface Access {
  readonly url: string;
  headers(): Promise<Headers>;
}

/**
 * Creates a transport with application default credentials, using Google's client, which is loaded on the first call.
 */
export function clientTransport(options: ClientTransportOptions): EvaluationTransport {
  let connected: Promise<Access> | undefined;
  return async (body, signal) => {
    connected ??= connect(options);
    const { url, headers } = await connected;
    // Signing in cannot be interrupted, so it is awaited only as long as the call is needed.
    const signedIn = await withoutMetadataWarning(() => untilAborted(headers, signal));
    return postRequest(url, body, signedIn, signal);
  };
}

async function connect({ project, location, apiEndpoint }: ClientTransportOptions): Promise<Access> {
  const { Client } = await import('@google-cloud/vertexai');
  // Exposes `protected` members. The client does not send requests itself, because it would follow redirects.
  class EvaluationClient extends Client implements Access {
    readonly url = `${this.apiClient.getRequestUrl()}/projects/${project}/locations/${location}:evaluateInstances`;
    readonly headers = async (): Promise<Headers> => {
      const headers = new Headers(this.apiClient.getHeaders());
      await this.apiClient.clientOptions.auth.addAuthHeaders(headers, this.url).catch((error: unknown) => {
        throw signInFailure(error);
      });
      return headers;
    };
  }
  return new EvaluationClient({ project, location, apiEndpoint });
}

/** The prefix of sign-in errors. */
export const SIGN_IN_FAILURE = 'signing in failed';

/** Creates an error about signing in, before the service was called. */
function signInFailure(error: unknown): Error {
  const { message, status } = (error ?? {}) as { readonly message?: unknown; readonly status?: unknown };
  const words = `${SIGN_IN_FAILURE}: ${errorWords(String(message ?? error)) || 'no message'}`;
  return Object.assign(new Error(words, { cause: error }), typeof status === 'number' ? { status } : {});
}

/** Authentication headers. */
const CREDENTIALS = ['authorization', 'x-goog-api-key'];
/**
 * The maximum size of an answer in bytes: a thousand times the usual size. An endless answer must not break the run.
 */
const LONGEST = 16 * 1024 * 1024;
/** The time limit in milliseconds if no other limit applies to the call. */
const LONGEST_WAIT = 300_000;

/**
 * Posts a request and returns the service's JSON, with credentials masked.
 * @throws Error named SERVICE_FAILURE for every status other than success, including redirects; CriteriaError TIMEOUT;
 * errors from `exchange` and `readAnswer`.
 */
async function postRequest(url: string, body: Json, headers: Headers, signal: AbortSignal): Promise<Json> {
  // Loaded on the first call, because many programs import the criteria but never call.
  const { exchange, hiding } = await import('@agent-criteria/calls/http');
  const hide = hiding(CREDENTIALS.map((name) => headers.get(name) ?? ''));
  const sent = Object.fromEntries(headers);
  const send = (own: AbortSignal): Promise<Json> =>
    exchange(
      new URL(url),
      { method: 'POST', headers: sent, body, signal: own, maxBytes: LONGEST },
      async ({ status, headers: answered, text, start }) => {
        if (status < 200 || status >= 300) {
          // Masks before truncating, because half a key would not be recognised.
          const mask = secretMask({ environment: process.env });
          throw serviceFailure(status, mask.text(hide(await start())), answered);
        }
        return readAnswer(hide(await text()));
      },
    );
  const tooLate = () => noAnswerWithin(LONGEST_WAIT, 'the evaluation service');
  return inTime(send, { signal, milliseconds: LONGEST_WAIT, tooLate });
}

/** The name of errors for unsuccessful answers, from the service or a server in front of it. */
export const SERVICE_FAILURE = 'ServiceFailure';

/** Creates an error with the status, the headers and the body, which is parsed if it is JSON. */
function serviceFailure(status: number, text: string, headers: object): Error {
  const error = new Error(`HTTP ${status}: ${errorWords(text) || 'no message'}`);
  return Object.assign(error, { name: SERVICE_FAILURE, status, body: parsed(text), headers });
}

function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isDeep(body) ? text : body;
  } catch {
    return text;
  }
}

/**
 * Parses an answer.
 * @throws Error describing the answer if it is not JSON. A truncated answer is a temporary failure; an HTML page
 * is not.
 */
function readAnswer(text: string): Json {
  if (isHtml(text)) throw new Error(`the answer is not JSON but ${pageInWords(text)}`);
  const answer: Json = JSON.parse(text);
  if (isDeep(answer)) throw new Error('the answer is nested more deeply than any answer of the service');
  if (answer === null) throw new Error('the answer is null');
  return answer;
}

/**
 * Converts a custom transport's answer to JSON that caches and recordings can store.
 * @throws Error if it is not JSON, for example if the transport returns nothing, or an unread response.
 */
export function givenAnswer(answer: unknown): Json {
  if (answer instanceof Response)
    throw new Error('your transport returned a Response: return the result of its json()');
  if (typeof answer !== 'object' || answer === null) {
    const what = answer === null ? 'null' : typeof answer;
    throw new Error(`your transport returned ${what}: return the object that the service answered`);
  }
  if (isDeep(answer)) throw new Error('your transport returned something that is not JSON, or nested too deeply');
  return JSON.parse(JSON.stringify(answer));
}

/** The maximum depth. No real answer is nested deeper, and JSON writers fail at a hundred thousand levels. */
const DEEPEST = 100;

function isDeep(value: unknown, levels: number = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}
