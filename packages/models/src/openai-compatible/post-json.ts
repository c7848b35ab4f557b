import { errorWords } from '@agent-criteria/calls';
import type { HttpAnswer } from '@agent-criteria/calls/http';
import { secretMask } from '@agent-criteria/masking';

/** An HTTP response with an error status. */
export interface HttpError extends Error {
  readonly status: number;
  /** Headers about retries, rate limits, the request id and the date. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the response, truncated. */
  readonly body: string;
}

const httpErrors = new WeakSet<object>();

export function isHttpError(error: unknown): error is HttpError {
  return typeof error === 'object' && error !== null && httpErrors.has(error);
}

/** The maximum size of a response, in bytes. */
const LONGEST_ANSWER = 32 * 1024 * 1024;
/** The maximum length of an error's body, in characters. */
const LONGEST_ERROR = 16_384;

interface Sending {
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
}

/**
 * Posts JSON and reads the JSON response.
 *
 * @throws HttpError, any error of `exchange`, or a SyntaxError if the response is not JSON.
 */
export async function postJson(url: URL, body: object, { apiKey, headers = {}, signal }: Sending): Promise<unknown> {
  // Imported on the first request, because node:http takes longer to load than everything else.
  const { exchange, hiding } = await import('@agent-criteria/calls/http');
  const sent = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'agent-criteria',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...headers,
  };
  const request = { method: 'POST', headers: sent, body, signal, maxBytes: LONGEST_ANSWER } as const;
  return exchange(url, request, async (answer) => {
    if (answer.status >= 200 && answer.status < 300) return JSON.parse(await answer.text());
    const hide = hiding([apiKey ?? '', ...Object.values(headers)]);
    // Masked before it is truncated, because half a key would not be recognised.
    const mask = secretMask({ environment: process.env });
    throw httpError(url, answer, mask.text(hide(await answer.start())));
  });
}

function httpError(url: URL, { status, headers }: HttpAnswer, text: string): HttpError {
  const said = errorWords(text);
  const message = `HTTP ${status} from ${url.origin}${said === '' ? '' : `: ${said}`}`;
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && /^(?:retry-after|x-ratelimit-|x-request-id$|date$)/.test(name) ? [[name, value]] : [],
  );
  const error = Object.assign(new Error(message), {
    name: 'HttpError',
    status,
    headers: Object.fromEntries(kept),
    body: text.slice(0, LONGEST_ERROR),
  });
  httpErrors.add(error);
  return error;
}
