import { isShownImage, OMITTED, TOO_DEEP } from './page-data.ts';

/** The depth limit, which protects recursive code. */
const DEEPEST = 100;

/**
 * Formats a value as JSON that is inert in HTML, terminals and CI logs: it contains no tags, comments, entities, CI
 * commands (`##[`) or control characters.
 */
export function inertJson(value: unknown): string {
  const text = JSON.stringify(shown(value, 0)) ?? 'null';
  return text.replace(/[<>&\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}|#(?=#)/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Escapes text, including control characters and CI commands, for HTML content and for quoted attributes on one line.
 */
export function inertText(text: string): string {
  return text.replace(
    /[<>&"'\p{Cc}\u2028\u2029]|\p{Bidi_Control}|#(?=#)/gu,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** Copies a value without media bytes that the page does not show, and without levels that are nested too deeply. */
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

/** Removes the bytes of media that the page does not show. Returns `undefined` for media that it does show. */
function withoutBytes(media: Record<string, unknown>): Record<string, unknown> | undefined {
  const { data } = media;
  if (typeof data !== 'string' || isShownImage(media.mimeType ?? media.mime_type, data)) return undefined;
  const { mimeType, mime_type, displayName, display_name } = media;
  return { mimeType, mime_type, displayName, display_name, [OMITTED]: Math.floor((data.length * 3) / 4) };
}
