import type { Json, Part } from '@agent-criteria/core';
import type { ArtifactContent } from '../api.ts';

/** Safe image formats. SVG is a document format, so it is shown as text. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const TEXTS =
  /^(?:text\/.*|application\/(?:json|xml|yaml|x-yaml|javascript|x-ndjson|.*\+json|.*\+xml)|image\/svg\+xml)$/;
const LONGEST_TEXT = 200_000;
const LARGEST_IMAGE = 5_000_000;

export interface ArtifactFile {
  /** As reported by the agent. */
  readonly mimeType: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Converts an artifact to a file. If the artifact only refers to a file elsewhere, the content is that file's address.
 */
export function artifactFile({ text, inlineData, fileData }: Part): ArtifactFile {
  const mimeType = (inlineData ?? fileData)?.mimeType ?? null;
  if (typeof inlineData?.data === 'string')
    return { mimeType, bytes: new Uint8Array(Buffer.from(inlineData.data, 'base64')) };
  const words = text ?? fileData?.fileUri ?? '';
  return { mimeType: text === undefined ? mimeType : 'text/plain', bytes: new Uint8Array(Buffer.from(words, 'utf8')) };
}

/** Creates a safe preview of an artifact: text, JSON or an image. */
export function shownContent(part: Part): ArtifactContent['shown'] {
  if (part.fileData) return { kind: 'text', text: String(part.fileData.fileUri ?? ''), isCut: false };
  const { mimeType, bytes } = artifactFile(part);
  const plain = plainType(mimeType);
  if (IMAGES.has(plain)) {
    if (bytes.length > LARGEST_IMAGE) return { kind: 'none' };
    return { kind: 'image', source: `data:${plain};base64,${Buffer.from(bytes).toString('base64')}` };
  }
  const text = artifactText(part);
  if (text === null) return { kind: 'none' };
  const value = text.length <= LONGEST_TEXT ? parsed(text) : undefined;
  if (typeof value === 'object' && value !== null) return { kind: 'json', value };
  return { kind: 'text', text: text.slice(0, LONGEST_TEXT), isCut: text.length > LONGEST_TEXT };
}

/** Returns the text of an artifact, or `null` if it is not UTF-8 text. */
export function artifactText(part: Part): string | null {
  const { mimeType, bytes } = artifactFile(part);
  return TEXTS.test(plainType(mimeType)) ? decoded(bytes) : null;
}

function plainType(mimeType: string | null): string {
  const [type = ''] = (mimeType ?? '').toLowerCase().split(';');
  return type.trim();
}

/** Formats a Content-Disposition header with a safe file name. */
export function attachment(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  // Bidi control characters could disguise `txt.exe` as `exe.txt`.
  const safe = last.replace(/[\p{Cc}\p{Cf}"'%;]/gu, '_').replace(/^\.+/, '') || 'artifact';
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(safe).replace(/[()*!]/g, percent)}`;
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
