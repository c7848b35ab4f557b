import { isHtml, pageInWords } from './html.ts';

/** The largest number of characters of a message. */
const LONGEST = 500;

/**
 * Extracts the error message from the body of a response, in one line: `error.message` of Google and OpenAI, `detail` of FastAPI,
 * `message` of Spring, `error` of Express, the title of an HTML page, or else the whole body. Truncated; empty for an empty body.
 */
export function errorWords(text: string): string {
  const said = isHtml(text) ? pageInWords(text) : (messageInJson(text) ?? text);
  // The message of a Google error may be an HTML page.
  const line = (isHtml(said) ? pageInWords(said) : said)
    .slice(0, 20_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Finds the error message in a JSON body; `null` if it is not JSON. */
function messageInJson(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    // Google streams errors in an array.
    const one: unknown = Array.isArray(body) ? body[0] : body;
    const { detail, error, message } = Object(one) as Readonly<Record<string, unknown>>;
    const said = detail ?? Object(error).message ?? message ?? error ?? one;
    return typeof said === 'string' ? said : JSON.stringify(said);
  } catch {
    // It is not JSON, or too deep to serialise.
    return null;
  }
}
