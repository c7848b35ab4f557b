import { errorWords } from '@agent-criteria/calls';

/** An answer of the service, or of a server in front of it, that is not a success. */
export interface ServiceFailure extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** Parsed if it is JSON, else text. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The name of such errors. */
export const SERVICE_FAILURE = 'ServiceFailure';

/** Creates an error from the service's answer. `text`: the body. */
export function serviceFailure(
  status: number,
  text: string,
  headers?: Readonly<Record<string, unknown>>,
): ServiceFailure {
  const body = parsed(text);
  const error = new Error(`HTTP ${status}: ${errorWords(text) || 'no message'}`);
  return Object.assign(error, { name: SERVICE_FAILURE, status, body, ...(headers && { headers }) });
}

/** The prefix of sign-in errors. */
export const SIGN_IN_FAILURE = 'signing in failed';

/** Creates an error about signing in: the service was not called. */
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

/** No real answer is nested deeper, and JSON writers fail at a hundred thousand levels. */
const DEEPEST = 100;

export function isDeep(value: unknown, levels: number = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}
