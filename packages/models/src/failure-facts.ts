/** The facts about a failure that a thrown value contains. */
export interface FailureFacts {
  /** The HTTP status. */
  readonly status?: number;
  /** The code of a system call or of the HTTP client, such as "ECONNRESET". */
  readonly code?: string;
  /** The address of the attempted connection, such as "127.0.0.1". */
  readonly address?: string;
  /** The names of the error and its causes. */
  readonly names: readonly string[];
  /** The message of the error. */
  readonly message: string;
  /** The messages of its causes. */
  readonly causes: readonly string[];
  /** The body of the response, parsed if it is JSON. */
  readonly body?: unknown;
  /** Whether the client considers the error retryable. */
  readonly retryable?: boolean;
  header(name: string): string | undefined;
}

type Fields = Record<string, unknown>;

/** The maximum number of errors in a chain of causes. */
const DEEPEST = 8;
/** The maximum length of a body that is parsed, in characters. */
const LONGEST_BODY = 200_000;

/**
 * Reads a thrown value by its structure, never by its class, because duplicate copies of an SDK are common, and this
 * package imports none. Understands errors of @google/genai, the AI SDK, the other clients of OpenAI and Google, and
 * `fetch`, as well as `{ status, headers, body }`.
 */
export function failureFacts(error: unknown): FailureFacts {
  const chain = chainOf(error);
  const first = <T>(read: (fields: Fields) => T | undefined): T | undefined => {
    for (const fields of chain) {
      const found = read(fields);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const body = first(bodyOf);
  const status = first(statusOf) ?? bodyStatus(body);
  const code = first(({ code: own }) => (typeof own === 'string' && own !== '' ? own : undefined));
  const address = first(({ address: own }) => (typeof own === 'string' && own !== '' ? own : undefined));
  const retryable = first(({ isRetryable }) => (typeof isRetryable === 'boolean' ? isRetryable : undefined));
  const messages = chain.map(messageOf).filter((text) => text !== '');
  return {
    names: chain.map(({ name }) => (typeof name === 'string' ? name : '')),
    message: messageOf(chain[0] ?? {}) || (typeof error === 'string' ? error : ''),
    causes: messages.slice(1),
    header: (name) => first((fields) => headerOf(fields, name)),
    status,
    code,
    address,
    body,
    retryable,
  };
}

/** Lists the error and its causes, without duplicates. */
function chainOf(error: unknown): Fields[] {
  const chain: Fields[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && chain.length < DEEPEST) {
    const next = waiting.shift();
    if (!isFields(next) || chain.includes(next)) continue;
    chain.push(next);
    // `fetch` tries several addresses, and the AI SDK several times. The last error counts.
    const several = Array.isArray(next.errors) ? next.errors.slice(-1) : [];
    waiting.push(next.lastError, next.cause, ...several);
  }
  return chain;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function messageOf({ message }: Fields): string {
  return typeof message === 'string' ? message : '';
}

function statusOf(fields: Fields): number | undefined {
  const response = isFields(fields.response) ? fields.response : {};
  return [fields.status, fields.statusCode, response.status, fields.code].map(asStatus).find((status) => status);
}

function asStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}

/** Finds the body of a response. Google puts it in the message, other clients in a field. */
function bodyOf(fields: Fields): unknown {
  const response = isFields(fields.response) ? fields.response : {};
  const given = [fields.responseBody, fields.body, fields.data, response.data, fields.error].find(isBody);
  if (given !== undefined) return typeof given === 'string' ? parsed(given) : given;
  const message = messageOf(fields);
  const start = message.indexOf('{');
  if (start === -1 || start > 200) return undefined;
  const inMessage = parsed(message.slice(start));
  return isFields(inMessage) ? inMessage : undefined;
}

function isBody(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  // A stream is a body that was not read.
  return isFields(value) && !('getReader' in value) && !('pipe' in value);
}

function parsed(text: string): unknown {
  const whole = text.slice(0, LONGEST_BODY);
  try {
    return JSON.parse(whole);
  } catch {
    return whole;
  }
}

/** Reads the status from `{ error: { code: 429 } }`, including in an array, as Google streams it. */
function bodyStatus(body: unknown): number | undefined {
  const error = errorOf(body);
  return error === undefined ? undefined : asStatus(error.code);
}

/** Returns the `error` of a body, or the body itself. */
export function errorOf(body: unknown): Record<string, unknown> | undefined {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  if (!isFields(one)) return undefined;
  return isFields(one.error) ? one.error : one;
}

function headerOf(fields: Fields, name: string): string | undefined {
  const response = isFields(fields.response) ? fields.response : {};
  for (const headers of [fields.responseHeaders, fields.headers, response.headers]) {
    const value = headerIn(headers, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function headerIn(headers: unknown, name: string): string | undefined {
  if (!isFields(headers)) return undefined;
  const entries = headers instanceof Headers || headers instanceof Map ? [...headers] : Object.entries(headers);
  const found = entries.find(([key]) => typeof key === 'string' && key.toLowerCase() === name);
  const value: unknown = Array.isArray(found?.[1]) ? found[1][0] : found?.[1];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
