import type { Content } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { plainFileName } from '../../sessions/file-name.ts';
import { fileProblem, filesIn } from '../../sessions/message-files.ts';

/** A file to be sent with a message. */
export interface MessageFile {
  readonly displayName: string;
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
}

/** Makes a message as ADK's web UI does: the text, if there is any, and then the files. */
export function messageOf(text: string, files: readonly MessageFile[]): Content {
  const said = text.trim() === '' && files.length > 0 ? [] : [{ text }];
  return { role: 'user', parts: [...said, ...files.map((inlineData) => ({ inlineData }))] };
}

/** Returns the files of a message, so that it can be written again. */
export function messageFiles(content: Content): readonly MessageFile[] {
  return filesIn(content).flatMap(({ data, mimeType, displayName }) =>
    data && mimeType ? [{ displayName: displayName || 'file', mimeType, data }] : [],
  );
}

/** Whether a stored value is a file that can be sent. */
export function isMessageFile(value: unknown): value is MessageFile {
  if (!isObject(value)) return false;
  const { displayName, mimeType, data } = value;
  if (typeof displayName !== 'string' || typeof mimeType !== 'string' || typeof data !== 'string') return false;
  return fileProblem({ parts: [{ inlineData: { displayName, mimeType, data } }] }) === null;
}

/**
 * Reads a file that was chosen, pasted or dropped.
 * @throws Error in words for people, if it is empty or cannot be read, as a folder.
 */
export async function readFile(file: File): Promise<MessageFile> {
  const displayName = plainFileName(file.name);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`“${displayName}” cannot be read. A folder cannot be attached.`);
  }
  if (bytes.length === 0) throw new Error(`“${displayName}” is empty.`);
  return { displayName, mimeType: typeOf(file.type, bytes), data: await base64Of(bytes) };
}

/** The type as the browser knows it, by the name of the file, or else text or bytes. */
function typeOf(type: string, bytes: Uint8Array<ArrayBuffer>): string {
  const [plain = ''] = type.toLowerCase().split(';');
  const known = plain.trim();
  if (known !== BYTES && /^[\w.+-]+\/[\w.+-]+$/.test(known)) return known;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? BYTES : 'text/plain';
  } catch {
    return BYTES;
  }
}

const BYTES = 'application/octet-stream';

function base64Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Promise((settle, fail) => {
    const reader = new FileReader();
    reader.onload = () => settle(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(new Blob([bytes]));
  });
}
