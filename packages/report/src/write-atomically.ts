import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keepPermissions, userFilePath } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';

/** The file that an error names, and the word for its text. */
interface Target {
  readonly file: string;
  readonly what: string;
}

/** The number of characters to buffer before writing. */
const CHUNK = 64 * 1024;

/**
 * Writes text to a file atomically, through a temporary file next to it. Follows symlinks, preserves permissions, and
 * creates missing folders. Errors thrown while the text is generated are rethrown.
 *
 * @param what The text, for messages. Default: `report`.
 * @throws CriteriaError WRITE_FAILED, with advice.
 */
export async function writeAtomically(file: string, text: AsyncIterable<string>, what = 'report'): Promise<void> {
  const named: Target = { file, what };
  const isFolder = await stat(file)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (isFolder) throw failed(named, { code: 'EISDIR' });
  await advised(named, () => mkdir(dirname(file), { recursive: true }));
  const target = await advised(named, () => userFilePath(file));
  const temporary = join(dirname(target), `.agent-criteria-${randomUUID()}.tmp`);
  try {
    // Other users must not be able to read the temporary file until it has the permissions of the old file.
    await writeTo(temporary, named, text, existsSync(target) ? 0o600 : 0o666);
    await advised(named, () => keepPermissions(target, temporary));
    await advised(named, () => rename(temporary, target));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Writes text to a path. Errors name the final file. */
export async function writeTo(path: string, named: Target, text: AsyncIterable<string>, mode = 0o666): Promise<void> {
  const handle = await advised(named, () => open(path, 'w', mode));
  try {
    for await (const chunk of gathered(text)) await advised(named, () => handle.appendFile(chunk));
    await advised(named, () => handle.sync());
  } finally {
    await handle.close();
  }
}

async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}

const REASONS: Readonly<Record<string, (target: Target) => string>> = {
  ENOENT: ({ file }) => `there is no folder ${dirname(file)}`,
  EEXIST: ({ file }) => `${dirname(file)} is not a folder`,
  ENOTDIR: ({ file }) => `${dirname(file)} is not a folder`,
  EISDIR: () => 'it is a folder; name a file in it',
  EACCES: () => 'no permission to write it; check the permissions of its folder',
  EPERM: () => 'no permission to write it, or another program has it open',
  EROFS: () => 'the file system is read-only',
  ENOSPC: ({ what }) => `the disk is full; free some space and write the ${what} again`,
  EDQUOT: ({ what }) => `the disk quota is used up; free some space and write the ${what} again`,
  ENAMETOOLONG: () => 'its name is too long',
  ELOOP: () => 'its link leads in a circle; remove it, or name another file',
};

/** Awaits work, adding advice to its errors. */
async function advised<T>(target: Target, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw failed(target, cause);
  }
}

function failed(target: Target, cause: unknown): CriteriaError {
  const { file, what } = target;
  const { code = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const reason = REASONS[code]?.(target) ?? message;
  return new CriteriaError(
    { code: 'WRITE_FAILED', file, message: `the ${what} could not be written: ${reason}` },
    { cause },
  );
}
