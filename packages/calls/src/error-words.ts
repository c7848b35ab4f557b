import { isHtml, pageInWords } from './html.ts';

/** The maximum length of a message, in characters. */
const LONGEST = 500;

/**
 * Extracts a one-line error message from a response body: `error.message` (Google, OpenAI), `detail` (FastAPI),
 * `message` (Spring), `error` (Express), the title of an HTML page, or else the whole body. Long messages are
 * truncated; an empty body gives an empty string.
 */
export function errorWords(text: string): string {
  const said = isHtml(text) ? pageInWords(text) : (messageInJson(text) ?? text);
  // A Google error message may itself be an HTML page.
  const line = (isHtml(said) ? pageInWords(said) : said)
    .slice(0, 20_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Finds the error message in a JSON body. Returns `null` if the body is not JSON. */
function messageInJson(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    // Google streams errors in an array.
    const one: unknown = Array.isArray(body) ? body[0] : body;
    const { detail, error, message } = Object(one) as Readonly<Record<string, unknown>>;
    const said = detail ?? Object(error).message ?? message ?? error ?? one;
    return typeof said === 'string' ? said : JSON.stringify(said);
  } catch {
    // Not JSON, or nested too deeply to serialise.
    return null;
  }
}
