import { isHtml, pageInWords } from '@agent-criteria/calls';

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
  const error = new Error(`HTTP ${status}: ${wordsOf(body)}`);
  return Object.assign(error, { name: SERVICE_FAILURE, status, body, ...(headers && { headers }) });
}

/** What begins the words of such errors. */
export const SIGN_IN_FAILURE = 'signing in failed';

/** An error of who should have signed in: the service was not asked. */
export function signInFailure(error: unknown): Error {
  const { message, status } = (error ?? {}) as { readonly message?: unknown; readonly status?: unknown };
  const failure = new Error(`${SIGN_IN_FAILURE}: ${oneLine(String(message ?? error))}`, { cause: error });
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

const LONGEST = 600;

/** The message of a Google error, or a text; of a page of HTML its title. */
export function wordsOf(body: unknown): string {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof one === 'object' && one !== null && 'error' in one) {
    const { error } = one;
    if (typeof error === 'object' && error !== null && 'message' in error) return oneLine(String(error.message));
    return oneLine(JSON.stringify(error));
  }
  if (typeof one === 'string') return oneLine(isHtml(one) ? pageInWords(one) : one);
  return oneLine(JSON.stringify(one) ?? '');
}

function oneLine(text: string): string {
  // Google's errors may hold a page of HTML as their message.
  const plain = isHtml(text) ? pageInWords(text) : text;
  const line = plain
    .slice(0, 20_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === '' ? 'no word' : line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
