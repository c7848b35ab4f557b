import { isShownImage, OMITTED, TOO_DEEP } from './page-data.ts';

/** Real data nests a few levels; what nests deeper would break whoever walks it by recursion. */
const DEEPEST = 100;

/**
 * A value as JSON that means nothing to HTML, nor to a terminal or CI service that the page is printed to: no tag, comment or
 * entity can begin in it, no command (`##[`) and no control character is in it.
 */
export function inertJson(value: unknown): string {
  const text = JSON.stringify(shown(value, 0)) ?? 'null';
  return text.replace(/[<>&\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}|#(?=#)/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text between tags or in a quoted attribute, on one line: control characters and commands of CI services are references. */
export function inertText(text: string): string {
  return text.replace(
    /[<>&"'\p{Cc}\u2028\u2029]|\p{Bidi_Control}|#(?=#)/gu,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** A copy of what can be shown: no bytes that the page would not draw, nothing too deep. */
function shown(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => shown(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      (isInlineData(key, inner) && withoutBytes(inner)) || shown(inner, depth + 1),
    ]),
  );
}

function isInlineData(key: string, value: unknown): value is Record<string, unknown> {
  return (key === 'inlineData' || key === 'inline_data') && typeof value === 'object' && value !== null;
}

/** Media that the page names but does not draw; `undefined` for those that it draws. */
function withoutBytes(media: Record<string, unknown>): Record<string, unknown> | undefined {
  const { data } = media;
  if (typeof data !== 'string' || isShownImage(media.mimeType ?? media.mime_type, data)) return undefined;
  const { mimeType, mime_type, displayName, display_name } = media;
  return { mimeType, mime_type, displayName, display_name, [OMITTED]: Math.floor((data.length * 3) / 4) };
}
