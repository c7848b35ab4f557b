/** An answer of HTTP that is no success. */
export interface HttpError extends Error {
  readonly status: number;
  /** Those that say when to come again, and what for. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the server said, cut. */
  readonly body: string;
}

const httpErrors = new WeakSet<object>();

export function isHttpError(error: unknown): error is HttpError {
  return typeof error === 'object' && error !== null && httpErrors.has(error);
}

/** More bytes than these no honest answer has. */
const LONGEST_ANSWER = 32 * 1024 * 1024;
/** Of what is wrong, the beginning is enough. */
const LONGEST_ERROR = 16_384;

interface Sending {
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
}

/**
 * Posts JSON and reads the JSON that comes back.
 *
 * @throws HttpError; what `fetch` throws; a SyntaxError for an answer that is no JSON; the reason of the signal.
 */
export async function postJson(url: string, body: object, { apiKey, headers, signal }: Sending): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: JSON.stringify(body),
    // A key goes nowhere but where the user sent it.
    redirect: 'manual',
    signal,
  });
  const text = await readText(response);
  if (!response.ok) throw httpError(response, without(text, [apiKey, ...Object.values(headers ?? {})]));
  return JSON.parse(text);
}

/** Servers repeat what they refuse, keys included. */
function without(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>((safe, secret) => (secret ? safe.replaceAll(secret, '[redacted]') : safe), text);
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > LONGEST_ANSWER) throw new Error(`the server answered more than ${LONGEST_ANSWER / 1024 / 1024} MB`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function httpError({ status, headers, url }: Response, text: string): HttpError {
  const said = saidIn(text);
  const message = `HTTP ${status} from ${new URL(url).origin}${said === '' ? '' : `: ${said}`}`;
  const kept = [...headers].filter(([name]) => /^(?:retry-after|x-ratelimit-|x-request-id$|date$)/.test(name));
  const error = Object.assign(new Error(message), {
    name: 'HttpError',
    status,
    headers: Object.fromEntries(kept),
    body: text.slice(0, LONGEST_ERROR),
  });
  httpErrors.add(error);
  return error;
}

/** The message inside the usual error objects, else all of it. */
function saidIn(text: string): string {
  let said = text;
  try {
    const { error, message, detail } = JSON.parse(text);
    said = [error?.message, error, message, detail].find((one) => typeof one === 'string') ?? text;
  } catch {}
  return said.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
}
