import { errorWords } from '@agent-criteria/calls';

/** What the service, or whatever stands before it, said instead of an answer. */
export interface ServiceFailure extends Error {
  /** Of HTTP. */
  readonly status: number;
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The name of such errors. */
export const SERVICE_FAILURE = 'ServiceFailure';

/** An error that says what the service said. `text`: the body of its answer. */
export function serviceFailure(
  status: number,
  text: string,
  headers?: Readonly<Record<string, unknown>>,
): ServiceFailure {
  const body = parsed(text);
  const error = new Error(`HTTP ${status}: ${errorWords(text) || 'no message'}`);
  return Object.assign(error, { name: SERVICE_FAILURE, status, body, ...(headers && { headers }) });
}

/** What begins the words of such errors. */
export const SIGN_IN_FAILURE = 'signing in failed';

/** An error of who should have signed in: the service was not asked. */
export function signInFailure(error: unknown): Error {
  const { message, status } = (error ?? {}) as { readonly message?: unknown; readonly status?: unknown };
  const failure = new Error(`${SIGN_IN_FAILURE}: ${errorWords(String(message ?? error)) || 'no message'}`, {
    cause: error,
  });
  return typeof status === 'number' ? Object.assign(failure, { status }) : failure;
}

function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isDeep(body) ? text : body;
  } catch {
    return text;
  }
}

/** No answer is nested deeper, and nothing that writes JSON gets through a hundred thousand levels. */
const DEEPEST = 100;

export function isDeep(value: unknown, levels: number = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}
