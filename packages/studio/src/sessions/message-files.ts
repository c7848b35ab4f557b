import type { Content, Part } from '@agent-criteria/core';
import { base64Size, isBase64 } from '@agent-criteria/formats';
import { plainFileName } from './file-name.ts';

/** The most files of one message. */
export const MOST_FILES = 10;

/**
 * The most bytes of the files of one message, together. In base64, they and what an agent reports fit into one message of
 * its process, and into the file of a session.
 */
export const MOST_FILE_BYTES = 10_000_000;

/**
 * The most bytes of the files of one session, together, with which its file is kept on disk. In base64, they leave
 * 2 MB for everything else.
 */
export const MOST_KEPT_BYTES = 10_500_000;

/** A file in a message. */
export type FileData = NonNullable<Part['inlineData']>;

/** A type and a subtype, as RFC 6838 allows, without parameters that no model reads. */
const TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/i;

export interface FileProblem {
  /** Whether the files are too many or too large. */
  readonly isLimit: boolean;
  /** In a complete sentence. */
  readonly message: string;
  /** Position of the part, or `null` for all of them. */
  readonly part: number | null;
}

/** Lists the files of a message. */
export function filesIn(content: Pick<Content, 'parts'> | null | undefined): readonly FileData[] {
  return (content?.parts ?? []).flatMap(({ inlineData }) => inlineData ?? []);
}

/** Returns what is wrong with the files of a message, or `null`. */
export function fileProblem({ parts }: Pick<Content, 'parts'>): FileProblem | null {
  for (const [part, { inlineData }] of (parts ?? []).entries()) {
    const message = inlineData ? mistakeIn(inlineData) : null;
    if (message !== null) return { isLimit: false, message, part };
  }
  const message = overLimit(filesIn({ parts }).map(({ data }) => bytesOf(data)));
  return message === null ? null : { isLimit: true, message, part: null };
}

/** Returns which limit files of these sizes exceed in one message, or `null`. @param bytes The size of each. */
export function overLimit(bytes: readonly number[]): string | null {
  if (bytes.length > MOST_FILES) return `A message has at most ${MOST_FILES} files, and these are ${bytes.length}.`;
  const sum = bytes.reduce((total, size) => total + size, 0);
  if (sum <= MOST_FILE_BYTES) return null;
  return `The files of a message have at most ${megabytes(MOST_FILE_BYTES)} together, and these have ${megabytes(sum)}.`;
}

function mistakeIn({ data, mimeType, displayName }: FileData): string | null {
  if (typeof mimeType !== 'string' || !TYPE.test(mimeType)) return 'A file needs a type, such as image/png.';
  if (typeof data !== 'string' || !isBase64(data))
    return 'The bytes of a file must be given in base64, and not be empty.';
  if (typeof displayName === 'string' && plainFileName(displayName) !== displayName) {
    return 'The name of a file has no folders, control characters or leading dots, and at most 200 characters.';
  }
  return null;
}

/** Returns the number of bytes of a file. */
export function bytesOf(data: string | null | undefined): number {
  return typeof data === 'string' ? base64Size(data) : 0;
}

/** Says that an agent would lose the files of a message. */
export function takesOnlyText(agent: string): string {
  return `The agent “${agent}” takes only text, so it would never see a file. An agent that takes files says so in its code, with supportsFiles: true.`;
}

function megabytes(bytes: number): string {
  return `${(Math.ceil(bytes / 100_000) / 10).toLocaleString('en')} MB`;
}
