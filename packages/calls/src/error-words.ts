import { isHtml, pageInWords } from './html.ts';

/** In characters. */
const LONGEST = 500;

/**
 * What the body of an answer says went wrong, in one line: `error.message` of Google and OpenAI, `detail` of FastAPI, `message` of
 * Spring, `error` of Express, of a page its title, else all of it. Cut; empty where it says nothing.
 */
export function errorWords(text: string): string {
  const said = isHtml(text) ? pageInWords(text) : (saidInJson(text) ?? text);
  // Google's errors may hold a page of HTML as their message.
  const line = (isHtml(said) ? pageInWords(said) : said)
    .slice(0, 20_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function saidInJson(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    // Google streams its errors in a list.
    const one: unknown = Array.isArray(body) ? body[0] : body;
    const { detail, error, message } = Object(one) as Readonly<Record<string, unknown>>;
    const said = detail ?? Object(error).message ?? message ?? error ?? one;
    return typeof said === 'string' ? said : JSON.stringify(said);
  } catch {
    // No JSON, or too deep to be written again.
    return null;
  }
}
