import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keepPermissions, userFilePath } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';

/** Texts are gathered up to this many characters before they are written. */
const CHUNK = 64 * 1024;

/**
 * Writes a text to a file that is there whole or, as it was before, untouched: the text goes to a file beside it, which
 * then takes its name. A link stays one and a file keeps its permissions. Folders that are missing are made. What the text itself throws is passed on.
 *
 * @throws CriteriaError WRITE_FAILED with what to do.
 */
export async function writeAtomically(file: string, text: AsyncIterable<string>): Promise<void> {
  const isFolder = await stat(file)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (isFolder) throw failed(file, { code: 'EISDIR' });
  await told(file, mkdir(dirname(file), { recursive: true }));
  const target = attempt(file, () => userFilePath(file));
  const temporary = join(dirname(target), `.agent-criteria-${randomUUID()}.tmp`);
  try {
    // Until it has the permissions of the old file, no other user may read it.
    await writeTo(temporary, file, text, existsSync(target) ? 0o600 : 0o666);
    attempt(file, () => keepPermissions(target, temporary));
    await told(file, rename(temporary, target));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Writes a text to a path; errors speak of `file`, which it is going to be. */
export async function writeTo(path: string, file: string, text: AsyncIterable<string>, mode = 0o666): Promise<void> {
  const handle = await told(file, open(path, 'w', mode));
  try {
    for await (const chunk of gathered(text)) await told(file, handle.appendFile(chunk));
    await told(file, handle.sync());
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

const REASONS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `there is no folder ${dirname(file)}`,
  EEXIST: (file) => `${dirname(file)} is not a folder`,
  ENOTDIR: (file) => `${dirname(file)} is not a folder`,
  EISDIR: () => 'it is a folder; name a file in it',
  EACCES: () => 'no permission to write it; check the permissions of its folder',
  EPERM: () => 'no permission to write it, or another program has it open',
  EROFS: () => 'the file system is read-only',
  ENOSPC: () => 'the disk is full; free some space and write the report again',
  EDQUOT: () => 'the disk quota is used up; free some space and write the report again',
  ENAMETOOLONG: () => 'its name is too long',
  ELOOP: () => 'its link leads in a circle; remove it, or name another file',
};

/** As `told`, of work that is done at once. */
function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw failed(file, cause);
  }
}

/** The same, with an error that says what to do. */
async function told<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw failed(file, cause);
  });
}

function failed(file: string, cause: unknown): CriteriaError {
  const { code = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const reason = REASONS[code]?.(file) ?? message;
  return new CriteriaError(
    { code: 'WRITE_FAILED', file, message: `the report could not be written: ${reason}` },
    { cause },
  );
}
