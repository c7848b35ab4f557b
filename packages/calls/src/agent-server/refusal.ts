import { CriteriaError } from '@agent-criteria/core';
import { errorWords } from '../error-words.ts';
import { isHtml, pageInWords } from '../html.ts';
import { type Advice, type Answer, type Connection, exchange, type Request } from './exchange.ts';

/** An answer with an error status. */
export interface Refusal {
  readonly status: number;
  /** The server's message, truncated. */
  readonly detail: string;
  readonly error: CriteriaError;
}

export function isRefusal<T>(answer: T | Refusal): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'error' in answer && CriteriaError.is(answer.error);
}

/**
 * Requests JSON. An answer with an error status is returned rather than thrown, because the caller may have an
 * alternative.
 *
 * @throws CriteriaError if the server cannot be reached, breaks off, or answers with something other than JSON.
 */
export async function askJson(connection: Connection, request: Request): Promise<{ readonly body: unknown } | Refusal> {
  return exchange(connection, request, async (answer) => {
    const refusal = await refusalOf(answer);
    return refusal ?? { body: await jsonOf(answer) };
  });
}

/** Reads the body of an answer with an error status and returns it as a refusal. Returns `null` on success. */
export async function refusalOf(answer: Answer): Promise<Refusal | null> {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  const detail = errorWords(answer.hide(await answer.text()));
  return { status, detail, error: answer.error(refusalMessage(answer, detail)) };
}

function refusalMessage({ status, location, advice }: Answer, detail: string): string {
  const said = `the server answered ${status}${detail === '' ? '' : `: ${detail}`}`;
  if (status >= 300 && status < 400) {
    const target = location !== null && URL.canParse(location) ? new URL(location) : null;
    const where = target === null ? 'elsewhere' : `to ${target.origin}${target.pathname}`;
    return `the server redirects ${where} (${status}), which is not followed: use the target URL, or, if it asks to sign in, ${advice.signIn}`;
  }
  if (status === 401 || status === 403) return `${said}; ${advice.signIn}`;
  return status >= 500 ? `${said}; check the server's log` : said;
}

/**
 * Parses the JSON of a successful answer.
 * @throws CriteriaError if it is not JSON.
 */
export async function jsonOf(answer: Answer): Promise<unknown> {
  const text = await answer.text();
  // For example, the answer to a deletion.
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    // Omits the parser's message, which quotes the text.
    throw answer.error(notJson(answer.hide(text), answer.type, answer.advice));
  }
}

/** Describes an answer that is not JSON. */
export function notJson(text: string, type: string, advice: Advice): string {
  if (isHtml(text) || (type === 'text/html' && /^\s{0,100}</.test(text))) {
    return `the answer is ${pageInWords(text)}, not JSON: ${advice.notJson} If it asks to sign in, ${advice.signIn}`;
  }
  return `the answer is not JSON: ${JSON.stringify(shortened(text, 80))}`;
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
